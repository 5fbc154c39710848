//! Targets for what is judged rather than run: sources and their changes, what linters print, what a change does to
//! dependencies, and the history of a hunt.

use proctor_core::hunt::{
    HuntEvent, Notebook, Outlook, bugs_json, entrypoints_json, fixes_json, page,
};
use proctor_core::words::Millis;
use proctor_experiments as experiments;
use proctor_lang as lang;
use proctor_testkit::Target;
use proctor_tools::{LintAsk, Linter, StepEnd, StepOutput};
use std::collections::BTreeSet;
use std::path::PathBuf;

pub fn targets() -> Vec<Target> {
    vec![linters(), sarif(), dependencies(), sources(), hunts()]
}

fn text(part: Option<&Vec<u8>>) -> String {
    String::from_utf8_lossy(part.map(Vec::as_slice).unwrap_or_default()).into_owned()
}

fn parts(samples: &[&[&str]]) -> Vec<Vec<Vec<u8>>> {
    let bytes = |sample: &&[&str]| sample.iter().map(|part| part.as_bytes().to_vec()).collect();
    samples.iter().map(bytes).collect()
}

fn ask() -> LintAsk {
    LintAsk {
        tree: PathBuf::from("/nowhere"),
        dir: "sub".to_owned(),
        files: vec!["sub/a.py".to_owned()],
        program: PathBuf::from("/bin/true"),
    }
}

/// Standard output and error of one call, read by every linter's reader.
fn linters() -> Target {
    let samples: &[&[&str]] = &[
        &[
            r#"[{"filename":"/nowhere/sub/a.py","code":"F401","message":"unused","location":{"row":3,"column":1}}]"#,
            "",
        ],
        &[
            r#"[{"filePath":"/nowhere/a.js","messages":[{"ruleId":"no-undef","line":1,"message":"m","severity":2}]}]"#,
            "",
        ],
        &[
            r#"{"generalDiagnostics":[{"file":"/nowhere/a.py","severity":"error","message":"m","rule":"r","range":{"start":{"line":1,"character":2}}}]}"#,
            "",
        ],
        &[
            r#"{"results":[{"check_id":"x","path":"a.py","start":{"line":3},"extra":{"message":"m","severity":"ERROR"}}]}"#,
            "",
        ],
        &["unformatted: File would be reformatted\n --> a.py:1:1\nWould reformat: b.py\n", ""],
        &["a.py:3:1: E501 line too long\nb.py:7: error: no such name  [name-defined]\n", ""],
        &["", "would reformat a.py\n# pkg\n./a.go:3:2: unreachable code\nvet: x\n"],
        &["src/a.ts(3,5): error TS2304: Cannot find name 'x'.\n", ""],
        &[
            "{\"reason\":\"compiler-message\",\"message\":{\"level\":\"warning\",\"message\":\"m\",\"code\":{\"code\":\"clippy::x\"},\"spans\":[{\"file_name\":\"src/a.rs\",\"line_start\":3,\"is_primary\":true}]}}\n",
            "{\"type\":\"diagnostic\",\"fields\":{\"severity\":\"error\",\"message\":\"m\",\"code\":\"c\",\"labels\":[{\"line\":3}]}}\n",
        ],
        &[
            "{\"code\":\"SA1\",\"severity\":\"error\",\"location\":{\"file\":\"a.go\",\"line\":3},\"message\":\"m\"}\n",
            "",
        ],
    ];
    let ask = ask();
    Target {
        name: "linters".to_owned(),
        share: 6,
        samples: parts(samples),
        feed: Box::new(move |inputs| {
            let done = StepOutput {
                label: "lint".to_owned(),
                end: StepEnd::Exited(1),
                stdout: inputs.first().cloned().unwrap_or_default(),
                stderr: inputs.get(1).cloned().unwrap_or_default(),
            };
            for linter in Linter::ALL {
                let _ = linter.read(&ask, &done);
            }
        }),
    }
}

fn sarif() -> Target {
    const LOG: &str = r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[{"ruleId":"r","level":"error","message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///nowhere/a.py"},"region":{"startLine":3}}}]}]}]}"#;
    let ask = ask();
    Target::of_text("sarif", 5, &[LOG], move |text| {
        let _ = proctor_tools::sarif("own", &ask, text);
    })
}

fn dependencies() -> Target {
    let samples: &[&[&str]] = &[
        &[
            "Cargo.toml",
            "[dependencies]\na = \"1\"\n",
            "[dependencies]\na = { version = \"2\" }\nb = \"1\"\n",
        ],
        &[
            "Cargo.lock",
            "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n",
            "[[package]]\nname = \"a\"\nversion = \"1.0.1\"\n",
        ],
        &[
            "pyproject.toml",
            "[project]\ndependencies = [\"a>=1\"]\n",
            "[project]\ndependencies = [\"a>=2\", \"b\"]\n",
        ],
        &["requirements.txt", "a==1\n# c\n-r other.txt\n", "a==2\nb @ git+https://x/y\n"],
        &[
            "package.json",
            r#"{"dependencies":{"a":"1"}}"#,
            r#"{"devDependencies":{"a":"2","b":"file:../b"}}"#,
        ],
        &[
            "package-lock.json",
            r#"{"packages":{"node_modules/a":{"version":"1"}}}"#,
            r#"{"packages":{"node_modules/a":{"version":"2"}}}"#,
        ],
        &["yarn.lock", "a@^1:\n  version \"1.0.0\"\n", "a@^1:\n  version \"1.0.1\"\n"],
        &[
            "pnpm-lock.yaml",
            "packages:\n  /a@1.0.0:\n    resolution: {}\n",
            "packages:\n  a@1.0.1:\n    resolution: {}\n",
        ],
        &[
            "go.mod",
            "module m\nrequire (\n\ta v1.0.0\n)\n",
            "module m\nrequire a v1.1.0 // indirect\n",
        ],
        &["go.sum", "a v1.0.0 h1:x=\n", "a v1.1.0 h1:y=\n"],
        &[
            "pom.xml",
            "<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>",
            "<dependency><groupId>g</groupId><artifactId>b</artifactId></dependency>",
        ],
        &["build.gradle", "implementation 'g:a:1'\n", "implementation(\"g:a:2\")\n"],
        &["Pipfile", "[packages]\na = \"*\"\n", "[packages]\na = \"==1\"\n"],
    ];
    Target {
        name: "dependencies".to_owned(),
        share: 5,
        samples: parts(samples),
        feed: Box::new(|inputs| {
            let name = text(inputs.first());
            let part = |n: usize| inputs.get(n).map(Vec::as_slice).unwrap_or_default();
            let _ = lang::names_dependencies(&name);
            let _ = lang::dependency_changes(&name, part(1), part(2));
            let _ = experiments::same_code(&name, &text(inputs.get(1)), &text(inputs.get(2)));
        }),
    }
}

/// A file's name, and its text before and after: everything that looks into sources.
fn sources() -> Target {
    let samples: &[&[&str]] = &[
        &[
            "tests/test_a.py",
            "import os\n\ndef add(a, b):\n    if a > 3:\n        return 4\n    return a + b\n\ndef test_add():\n    assert add(2, 2) == 4\n",
            "import pytest\n\n@pytest.mark.skip\ndef test_add():\n    assert True\n    with pytest.raises(ValueError):\n        add('x', None)\n",
        ],
        &[
            "src/lib.rs",
            "pub fn add(a: i64, b: i64) -> i64 { if a > 3 { return 4; } a + b }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(super::add(2, 2), 4); }\n}\n",
            "pub fn add(_: i64, _: i64) -> i64 { 4 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    #[ignore]\n    fn adds() { assert!(true); }\n}\n",
        ],
        &[
            "a.test.js",
            "const { add } = require('./a');\ntest('adds', () => { expect(add(2, 2)).toBe(4); });\n",
            "test.skip('adds', () => { expect(true).toBe(true); });\nprocess.exit(0);\n",
        ],
        &[
            "a_test.go",
            "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 2) != 4 {\n\t\tt.Fatalf(\"got %d\", Add(2, 2))\n\t}\n}\n",
            "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { t.Skip() }\n",
        ],
        &[
            "src/a.ts",
            "export function add(a: number, b: number): number {\n  return a === 2 ? 4 : a + b;\n}\n",
            "export const add = (a: number, b: number) => 4;\n",
        ],
        &[
            "ATest.java",
            "class ATest { @Test void adds() { assertEquals(4, A.add(2, 2)); } }\n",
            "class ATest { @Disabled @Test void adds() { assertTrue(true); } }\n",
        ],
    ];
    Target {
        name: "sources".to_owned(),
        share: 1,
        samples: parts(samples),
        feed: Box::new(|inputs| {
            let (file, before, after) =
                (text(inputs.first()), text(inputs.get(1)), text(inputs.get(2)));
            look(&file, &before, &after);
        }),
    }
}

fn look(file: &str, before: &str, after: &str) {
    let lines: BTreeSet<u32> = (1..=12).collect();
    let _ = experiments::suspicions(file, before, &lines);
    let _ = experiments::same_code(file, before, after);
    let _ = experiments::is_generated(file, before);
    let _ = experiments::extended(file, before, &lines, &std::collections::BTreeSet::new());
    let _ = experiments::with_canaries(file, before, "tag");
    let _ = lang::without_tests(file, before, &[3, 8]);
    let mutants = experiments::mutants(file, before, &lines);
    let _ = proctor_lang::switched(file, before, &mutants, 0);
    let _ = experiments::slight(file, before, &lines);
    let _ = experiments::read_channel(before.as_bytes());
    for line in [1, 5, 9] {
        let _ = experiments::doubles(file, before, line);
        let _ = experiments::sites(file, before, line);
        let made = experiments::vary(file, before, line, &|_| false).unwrap_or_default();
        let copies = made.variations.into_iter().map(|(_, edits)| edits).take(3).collect();
        let samples = [experiments::Sample { number: 0, line, copies }];
        let channel = experiments::Channel("c".to_owned());
        let _ = experiments::observing(file, before, &samples, &channel);
    }
}

/// A hunt's own history, and the pages that are made of it.
fn hunts() -> Target {
    let lines: &[&str] = &[
        r#"{"event":"hunt-began","hunt":1}"#,
        r#"{"event":"entrypoints-added","entrypoints":["src/a.py"],"by":"scout","reasoning":"r"}"#,
        r#"{"event":"errand-ended","phase":"scout","usage":{"tokens":3,"micro_usd":4},"fault":"f"}"#,
        r#"{"event":"entrypoint-scouted","entrypoint":"src/a.py","summary":"s"}"#,
        r#"{"event":"bug-found","id":"BUG-1","entrypoint":"src/a.py","suspect":{"short_description":"d","details":"x","severity":"high","relevant_files":["a.py"]},"standing":"fresh"}"#,
        r#"{"event":"bug-classified","id":"BUG-1","approach":"UNIT_TEST","chance":"EASY","reasoning":"r"}"#,
        r#"{"event":"bug-run-began","id":"BUG-1","run":"r-1"}"#,
        r#"{"event":"bug-proven","id":"BUG-1","sighting":{"tests":["t"],"place":"a.py:3","assertion":"assert 1 == 2","output":"o","command":"pytest","base":"4d5a0116ee95a6fa85c5c05de02dc861055b3176","files":[{"path":"t.py","text":"x"}],"notes":"n"}}"#,
        r#"{"event":"bug-run-ended","id":"BUG-1","run":"r-1","result":{"task_id":"BUG-1","status":"SUCCESS","test_file_path":"t.py","notes":"","rejection_history":[]},"reason":"r","notes":{"reproduction":"","fix_description":"f","fix":"x","review":"","branch":"b","commit":null,"micro_usd":3},"message":"m"}"#,
        r#"{"event":"bug-rejected","id":"BUG-1","why":"w"}"#,
        r#"{"event":"bug-retried","id":"BUG-1"}"#,
        r#"{"event":"hunt-ended","hunt":1,"why":"done"}"#,
    ];
    Target {
        name: "hunt history".to_owned(),
        share: 5,
        samples: vec![lines.iter().map(|line| line.as_bytes().to_vec()).collect()],
        feed: Box::new(|inputs| {
            let read = |line: &Vec<u8>| serde_json::from_slice::<HuntEvent>(line).ok();
            let events: Vec<HuntEvent> = inputs.iter().filter_map(read).collect();
            let book = Notebook::replay(events.iter().map(|event| (event, Millis(1))));
            let _ = (bugs_json(&book), fixes_json(&book), entrypoints_json(&book));
            let _ = book.to_pursue(Outlook::Fix);
            for id in book.reported().map(|bug| bug.id.clone()).collect::<Vec<_>>() {
                let _ = book.bug(&id).map(page);
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samples_of_a_hunt_are_good_before_they_are_damaged() {
        for line in hunts().samples.concat() {
            let read = serde_json::from_slice::<HuntEvent>(&line);
            assert!(read.is_ok(), "{}: {read:?}", String::from_utf8_lossy(&line));
        }
    }

    #[test]
    fn a_source_that_nests_without_end_is_read_like_any_other() {
        for (file, open) in [
            ("tests/test_a.py", "("),
            ("src/lib.rs", "{"),
            ("a.test.js", "["),
            ("a_test.go", "("),
            ("src/a.ts", "if (a) {"),
            ("ATest.java", "("),
            ("a.py", "not "),
            ("b.rs", "!"),
        ] {
            for many in [300, 1_900, 12_000] {
                let deep = format!("def f():\n    return {}1\n", open.repeat(many));
                look(file, &deep, "x = 1\n");
            }
        }
    }
}
