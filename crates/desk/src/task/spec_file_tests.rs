use super::*;
use proctor_core::brief::Percent;

fn good(text: &str) -> Spec {
    match Spec::parse(text) {
        Ok(spec) => spec,
        Err(faults) => panic!("{faults:?}"),
    }
}

fn faults(text: &str) -> Vec<String> {
    Spec::parse(text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn without_front_matter_the_heading_says_what_is_wanted_and_the_body_is_the_details() {
    let spec = good("```\n# not this\n```\n\n# A retry option #\n\nRetries three times.\n");
    assert_eq!(spec.description, "A retry option");
    assert!(spec.details.ends_with("Retries three times."), "{}", spec.details);
    assert_eq!((spec.id, spec.kind), (None, None));
}

#[test]
fn a_text_without_a_heading_is_described_by_its_first_line() {
    assert_eq!(good("\nAdd a retry option.\nMore.\n").description, "Add a retry option.");
}

#[test]
fn front_matter_says_what_flags_could_say() {
    let text = "---\n# a comment\nid: retry-1   # behind a value\ntype: bug_fix\ndescription: \"Retry: again\"\nfiles: [src/a.py, 'src/b, c.py']\ntargets:\n  - retry\n  - src/retry.py\ncontext: README.md\ncoverage: \">=85%\"\ntest-count: 3\nland: branch\nmax_time: 5m\nrefactor: false\n---\n# Other heading\nbody\n";
    let spec = good(text);
    assert_eq!(spec.id.as_deref(), Some("retry-1"));
    assert_eq!(spec.kind, Some(TaskType::BugFix));
    assert_eq!(spec.description, "Retry: again");
    assert_eq!(spec.flags.files, ["src/a.py", "src/b, c.py"]);
    assert_eq!(spec.flags.targets, ["retry", "src/retry.py"]);
    assert_eq!(spec.flags.context, ["README.md"]);
    assert_eq!(spec.flags.coverage.map(|least| least.0), Some(Percent(8500)));
    assert_eq!((spec.flags.test_count, spec.flags.max_time), (Some(3), Some(300_000)));
    assert!(spec.flags.no_refactor);
    assert_eq!(spec.details, "# Other heading\nbody");
}

#[test]
fn toml_between_plus_signs_means_the_same() {
    let spec = good(
        "+++\nid = \"x\"\ntype = \"refactor\"\nfiles = [\"a.py\"]\ntest_count = 2\n+++\n# T\n",
    );
    assert_eq!((spec.id.as_deref(), spec.kind), (Some("x"), Some(TaskType::Refactor)));
    assert_eq!((spec.flags.files.len(), spec.flags.test_count), (1, Some(2)));
    assert_eq!(
        faults("+++\nid = \n+++\n# T\n")[0].lines().next_back(),
        Some("hint: between `+++` lines stands TOML; between `---` lines `key: value`")
    );
}

#[test]
fn every_fault_is_named_with_its_line_and_a_way_out() {
    let text = "---\ntyp: feature\ntype: chore\nid: a\nid: b\nfiles: a.py, b.py\ncoverage: most\n  nested: x\nyes: true\ndescription: |\n- stray\nlist: [a, b\nno colon here\ntest_count: three\n---\n# T\n";
    insta::assert_snapshot!("spec_faults", faults(text).join("\n"));
}

#[test]
fn a_front_matter_that_is_never_closed_and_a_text_that_says_nothing_are_refused() {
    assert!(faults("---\nid: a\n")[0].contains("never closed"));
    assert!(faults("---\nid: a\n---\n\n")[0].contains("nothing says what is wanted"));
    assert!(faults("")[0].contains("nothing says what is wanted"));
}
