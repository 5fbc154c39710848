use super::*;

mod go;
mod hollow;
mod python;
mod rust;
mod script;

fn line_of(source: &str) -> u32 {
    let starts = ["def test", "it(", "it.", "test(", "test.", "xit(", "func Test", "fn "];
    let at =
        source.lines().position(|l| starts.iter().any(|s| l.trim_start().starts_with(s))).unwrap();
    u32::try_from(at + 1).unwrap()
}

fn between(file: &str, before: &str, after: &str) -> Vec<String> {
    weakened((file, before, line_of(before)), (file, after, line_of(after)))
}

/// Each row: the earlier text, the later one, and a part of what is told; nothing told where that is empty.
fn table(file: &str, rows: &[(&str, &str, &str)]) {
    let wrong: Vec<_> = rows
        .iter()
        .map(|(before, after, wanted)| (between(file, before, after), before, after, wanted))
        .filter(|(told, _, _, wanted)| {
            if wanted.is_empty() {
                !told.is_empty()
            } else {
                !told.iter().any(|t| t.contains(**wanted))
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
