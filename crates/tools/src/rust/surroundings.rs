//! What is wrong with the machine and not with the code: one list. A test that meets one of these is errored, never
//! red; a build that meets one has crashed.

/// Errors of the system that no change to the project's code explains: no memory, too many open files, a full or
/// read-only disk, no network, no quota. As Rust shows them: `Os { code: 28, …` or `(os error 28)`.
const CODES: [u32; 8] = [12, 23, 24, 28, 30, 101, 113, 122];

const WORDS: [&str; 3] = [
    "failed to lookup address information",
    "Temporary failure in name resolution",
    "nodename nor servname provided",
];

/// Whether a message shows that the surroundings broke.
pub(crate) fn broke(message: &str) -> bool {
    let shows = |code: &u32| {
        message.contains(&format!("Os {{ code: {code},"))
            || message.contains(&format!("(os error {code})"))
    };
    CODES.iter().any(shows) || WORDS.iter().any(|word| message.contains(word))
}

/// What a person can do about an error of the compiler that points at no source; none where it is the project's.
pub(crate) fn hint_for_build(message: &str, rendered: &str) -> Option<&'static str> {
    let without = |crates: &[&str]| crates.iter().any(|c| message.ends_with(&format!("`{c}`")));
    if message.starts_with("linker `") && message.ends_with("` not found") {
        return Some("install a C compiler, which Rust links with (on Debian: apt install gcc)");
    }
    if message.starts_with("can't find crate for") && without(&["std", "core"]) {
        return Some("the target's standard library is not there: rustup target add");
    }
    broke(rendered).then_some("the machine is short of something: see the message")
}

/// What to do where cargo gave up before it built anything; empty where nothing is known.
pub(crate) fn hint_for_cargo(stderr: &str) -> &'static str {
    let offline = [
        "--offline",
        "failed to download",
        "no matching package named",
        "failed to load source for dependency",
        "failed to get `",
        "ould not resolve host",
    ];
    if offline.iter().any(|word| stderr.contains(word)) {
        return "\nhint: its dependencies are not on this machine: run `cargo fetch` once in the repository";
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_no_fault_of_the_code_and_a_missing_file_may_be() {
        for message in [
            "called `Result::unwrap()` on an `Err` value: Os { code: 28, kind: StorageFull, message: \"No space left on device\" }",
            "could not write: No space left on device (os error 28)",
            "Custom { kind: Uncategorized, error: \"failed to lookup address information: Name or service not known\" }",
            "Os { code: 24, kind: Uncategorized, message: \"Too many open files\" }",
        ] {
            assert!(broke(message), "{message}");
        }
        for message in ["Os { code: 2, kind: NotFound", "(os error 2)", "(os error 280)", "code 28"]
        {
            assert!(!broke(message), "{message}");
        }
    }

    #[test]
    fn only_what_the_machine_lacks_has_a_hint() {
        assert!(hint_for_build("linker `cc` not found", "").is_some());
        assert!(hint_for_build("can't find crate for `std`", "").is_some());
        assert_eq!(hint_for_build("can't find crate for `serde`", ""), None);
        assert_eq!(hint_for_build("linking with `cc` failed: exit status: 1", ""), None);
        assert!(hint_for_cargo("error: failed to get `a` as a dependency").contains("cargo fetch"));
        assert_eq!(hint_for_cargo("error: invalid table header"), "");
    }
}
