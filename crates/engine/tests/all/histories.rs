use proctor_core::event::Event;
use proctor_core::run::{Run, owed};
use proctor_core::words::Status;
use std::path::Path;

/// Each file of the folder is a whole history as `proctor log RUN --format json` gave it; its name ends with what
/// became of it.
#[test]
fn every_history_that_was_ever_written_replays_to_the_same_ending() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/histories");
    let mut told = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let history: Vec<Event> = text
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|e| panic!("{name}: {e}: {line}"))
            })
            .collect();
        for length in 1..=history.len() {
            let run = Run::replay(&history[..length]).expect("a history begins with its brief");
            let under_way = owed(&run).is_some() || run.in_flight.is_some();
            assert_eq!(run.status() == Status::Running, under_way, "{name} after {length} events");
        }
        let run = Run::replay(&history).unwrap();
        told.push(format!("{name}: {} ({}) {:?}", run.status(), run.stage.name(), run.counters));
    }
    assert!(told.len() >= 9);
    insta::assert_snapshot!(told.join("\n"));
}
