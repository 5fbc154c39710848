//! The readers of the binary itself, fed with damaged samples: a stranger's pack, configuration, tasks, records. A short
//! spree among the ordinary tests; `cargo xtask fuzz` starts the long one.

use crate::config::Config;
use crate::evidence::{pack_from, pack_texts, tar};
use crate::task::spec_file::Spec;
use crate::task::task_json::{Shell, TaskJson};
use proctor_engine::evidence::read_commands;
use proctor_testkit::Target;
use std::env;
use std::path::Path;

const PACK: &str = include_str!("evidence/recorded/pack.json");

const CONFIG: &str = "runner = \"pytest\"\ntest_cmd = \"pytest -q\"\ndefault_agent = \"a\"\n[limits]\nred = 3\ntime = \"2h\"\n[gates]\nrepeats = 2\nmutants = \"20%\"\n[land]\nmode = \"squash\"\n[agents.a]\nkind = \"claude\"\nenv = [\"KEY\"]\n[roles]\nreviewer = \"a\"\n[setup]\nrun = [[\"npm\", \"ci\"]]\n[sandbox]\nrequire = \"strong\"\nmemory = \"4GB\"\n[secrets]\nallow = [\"tests/**\"]\n[[project]]\ndir = \"web\"\nrunner = \"jest\"\n";

const TASK: &str = r#"{"id":"T-1","title":"Subtract","description":"sub(a, b) is a minus b.","type":"feature","meta":{"tdd_workflow":true,"max_iterations":2,"tdd_cycles":[{"test_count":1,"test_cases":["x"],"implementation_scope":"calc.py: sub","expected_coverage":">=85%"}],"execution_config":{"method":"agent"}},"cli_execution":{"id":"W","strategy":"new","resume_from":null},"focus_paths":["calc.py"],"files_to_read":["README.md"],"pre_analysis":["Read",{"step":"p","action":"Look","commands":["ls"]}],"implementation":["Keep",{"step":1,"tdd_phase":"red","description":"Write","actions":["two"]},{"step":2,"tdd_phase":"green","description":"Do","actions":["x"],"modification_points":[{"file":"calc.py","change":"new"}],"logic_flow":["a"],"test_fix_cycle":{"max_iterations":5}},{"step":3,"tdd_phase":"refactor","description":"Tidy"}],"convergence":{"criteria":["All tests pass: `pytest tests`","coverage >= 85%"]},"context":{"shared_context":{"tech_stack":["Python"]},"exploration_results":{"critical_files":["calc.py"]}},"todo_list":"TODO_LIST.md"}"#;

const SPECS: [&str; 3] = [
    "---\n# a comment\nid: retry-1   # behind\ntype: bug_fix\ndescription: \"Retry: again\"\nfiles: [src/a.py, 'src/b, c.py']\ntargets:\n  - retry\ncoverage: \">=85%\"\ntest-count: 3\nland: branch\nmax_time: 5m\nrefactor: false\n---\n# Heading\nbody\n",
    "+++\nid = \"a\"\nfiles = [\"x\", \"y\"]\ntest_count = 3\n+++\n# Heading\n\ntext\n",
    "```\n# not this\n```\n\n# A retry option #\n\nRetries three times.\n",
];

const COMMANDS: &str = r#"{"name":"agent","argv":["$PROCTOR","play"],"cwd":"/w","env":["HOME"],"sandbox":"bubblewrap","started":1794837250964,"took_ms":87,"end":"exited","exit":0,"stdout":{"bytes":22,"sha256":"7a3a"},"stderr":{"bytes":0,"sha256":"e3b0"}}
{"name":"test","argv":[],"cwd":"/w","env":[],"started":1,"took_ms":2,"end":"timed-out","stdout":{"bytes":0,"sha256":""},"stderr":{"bytes":0,"sha256":""}}
"#;

fn targets() -> Vec<Target> {
    let files = [("evidence.json".to_owned(), PACK.into()), ("a/b".to_owned(), vec![7; 700])];
    let whole = tar::write(&files.into()).unwrap();
    vec![
        Target::of_text("configuration", 4, &[CONFIG], |text| {
            let _ = Config::parse(text, "proctor.toml");
        }),
        Target::of_text("task files", 4, &[TASK], |text| {
            for shell in [Shell::Allowed, Shell::Refused] {
                if let Ok(task) = TaskJson::parse(text, shell) {
                    let _ = (task.details(), task.scopes(), task.test_cases());
                }
            }
        }),
        Target::of_text("spec files", 5, &SPECS, |text| {
            let _ = Spec::parse(text);
        }),
        Target::of_text("command records", 5, &[COMMANDS], |text| {
            let _ = read_commands(text);
        }),
        Target {
            name: "pack as a tar".to_owned(),
            share: 3,
            samples: vec![vec![whole]],
            feed: Box::new(|inputs| {
                let _ = tar::read(inputs.first().map(Vec::as_slice).unwrap_or_default());
            }),
        },
        Target::of_text("pack", 1, &[PACK], |text| {
            if let Some(pack) = pack_from(text.as_bytes()) {
                let _ = pack_texts(&pack);
            }
        }),
    ]
}

#[test]
fn the_samples_are_good_before_they_are_damaged() {
    let pack = pack_from(PACK.as_bytes()).expect("the recorded pack is read");
    assert!(pack_texts(&pack).contains("even-median"));
    assert!(
        Config::parse(CONFIG, "proctor.toml").is_ok(),
        "{:?}",
        Config::parse(CONFIG, "x").err()
    );
    assert!(TaskJson::parse(TASK, Shell::Allowed).is_ok());
    assert!(SPECS.iter().all(|text| Spec::parse(text).is_ok()));
    let (commands, faults) = read_commands(COMMANDS);
    assert_eq!((commands.len(), faults), (2, Vec::new()));
}

/// Its lines are read by `cargo xtask fuzz`.
#[test]
fn what_others_wrote_is_read() {
    let told = |name: &str| env::var(name).ok();
    let number = |name: &str| told(name).and_then(|text| text.parse::<u64>().ok());
    let only = told("PROCTOR_FUZZ_ONLY").unwrap_or_default();
    let mut targets = targets();
    targets.retain(|target| target.name.contains(&only));
    let all: u64 = targets.iter().map(|target| target.share).sum();
    let faults = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz");
    let (mut tried, mut wrong, mut memory) = (0, Vec::new(), 0);
    for target in &mut targets {
        let runs = number("PROCTOR_FUZZ_RUNS")
            .map_or(40 * target.share, |runs| (runs * target.share).div_ceil(all));
        let seed = number("PROCTOR_FUZZ_SEED").unwrap_or(7);
        let tally = target.spree(seed, runs, &faults).unwrap();
        println!("fuzz: {}", tally.line());
        tried += tally.tried;
        memory = memory.max(tally.memory_kib);
        wrong.extend(tally.faults);
    }
    for fault in &wrong {
        println!("fuzz: {fault}");
    }
    println!("fuzz-total: {tried} {} {memory}", wrong.len());
    assert_eq!(wrong, Vec::<String>::new());
}
