//! What is built or started once for many trials tells what the tool itself tells.

use crate::go_runs::{MIXED, SHOP};
use crate::go_stage::each;
use crate::js_stage::{WAITS, js_stage};
use crate::stage::Stage;
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_tools::{Meets, Programs, Selection, StepEnd, StepOutput, Variant};
use std::process::Command;

/// How each test ended.
fn ends(report: &TestReport) -> Vec<(TestId, &'static str)> {
    report.cases.iter().map(|(id, case)| (id.clone(), case.end.word())).collect()
}

#[test]
fn a_kept_go_program_tells_what_go_test_tells() {
    let inner = "package inner\n\nimport \"testing\"\n\nfunc TestInner(t *testing.T) {}\n";
    for mut stage in
        each(&[("shop.go", SHOP), ("shop_test.go", MIXED), ("inner/inner_test.go", inner)])
    {
        let folder = stage.ask.tree.with_file_name("programs").join("1");
        stage.ask.programs = Programs::Kept(folder.clone());
        let first = stage.run();
        assert!(first.cases.len() > 10, "{first:?}");
        if folder.is_dir() {
            // What stands there now is not built again.
            stage.write("shop.go", "package shop\n");
        }
        stage.ask.programs = Programs::From(folder);
        let again = stage.run();
        assert_eq!((&again.end, ends(&again)), (&first.end, ends(&first)));
        let mut stage = stage.only(&["example.com/demo/inner TestInner"]);
        assert_eq!(stage.finished().counts().passed, 1);
    }
}

fn batch(stage: &Stage, variants: &[Variant]) -> Vec<TestReport> {
    let batch = stage.runner.batch(&stage.ask, variants, 2).unwrap();
    std::fs::remove_dir_all(&stage.ask.scratch).unwrap();
    for folder in &batch.plan.folders {
        std::fs::create_dir_all(folder).unwrap();
    }
    for (path, bytes) in &batch.plan.files {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let mut command = Command::new(&batch.step.argv[0]);
    command.args(&batch.step.argv[1..]).current_dir(&batch.step.cwd);
    let done = command.env_clear().envs(&batch.step.env).output().unwrap();
    let end = StepEnd::Exited(done.status.code().unwrap_or(-1));
    let label = batch.step.label;
    let done = StepOutput { label, end, stdout: done.stdout, stderr: done.stderr };
    stage.runner.read_batch(&stage.ask, variants, &done)
}

#[test]
fn copies_of_a_tree_have_their_own_fates_in_one_start_of_vitest() {
    let source = "export const price = (n) => n * 3\nexport const unused = () => 1\n";
    let test = "import { test, expect } from 'vitest'\nimport { price } from '../src/shop.js'\n\
                test('price', () => { expect(price(2)).toBe(6) })\n\
                test('other', () => { expect(1).toBe(1) })\n";
    let files = [("package.json", "{\"type\": \"module\"}"), ("src/shop.js", source)];
    let files = [files.as_slice(), &[("test/shop.test.js", test)]].concat();
    let Some(stage) = js_stage("vitest", &files) else { return };
    let variant = |text: Option<String>| Variant {
        meets: Meets::All,
        files: text.map(|t| ("src/shop.js".to_owned(), t.into_bytes())).into_iter().collect(),
        only: Selection::Ids(vec![TestId::new("test/shop.test.js > price")]),
        limit_ms: 30_000,
    };
    let variants = [
        variant(None),
        variant(Some(source.replace("n * 3", "n + 3"))),
        variant(Some(source.replace("=> 1", "=> 2"))),
        variant(Some("export const price = (".to_owned())),
        variant(None),
    ];
    for _ in 0..2 {
        let told = batch(&stage, &variants);
        let failed = |n: usize| told[n].counts().failed;
        assert!([0, 1, 2, 4].iter().all(|n| told[*n].end == RunEnd::Finished), "{told:?}");
        assert_eq!([0, 1, 2, 4].map(failed), [0, 1, 0, 0], "{told:?}");
        assert!(matches!(told[3].end, RunEnd::CollectFailed { .. }), "{told:?}");
    }
    // Where the copies are not what is loaded, nothing is said of them.
    let root = stage.ask.tree.join("src/shop.js").display().to_string();
    stage.write("test/shop.test.js", &test.replace("../src/shop.js", &root));
    let told = batch(&stage, &variants);
    assert!(matches!(told[1].end, RunEnd::Suspect { .. }), "{told:?}");
    let endless = variant(Some(format!("{WAITS}\n")));
    stage.write("test/shop.test.js", test);
    let told = batch(&stage, &[variant(None), Variant { limit_ms: 4_000, ..endless }]);
    assert!(told.iter().all(|one| matches!(one.end, RunEnd::Suspect { .. })), "{told:?}");
}
