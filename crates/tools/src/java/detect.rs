//! What says that a folder's tests are Maven's, and what a user's own Maven command means. Gradle is not known here:
//! its tests run as any command that writes `JUnit` XML.

use crate::detect::{Arguments, UnknownCommand, UserCommand, program_of};
use proctor_lang::tree::{Tree, below};

pub(crate) fn claims(tree: &dyn Tree, dir: &str) -> Option<(&'static str, String)> {
    let manifest = below(dir, "pom.xml");
    tree.read(&manifest).map(|_| ("maven", manifest))
}

const ARGUMENTS: Arguments = Arguments {
    alone: &["-am", "--also-make", "-amd", "--also-make-dependents"],
    valued: &[
        "-pl",
        "--projects",
        "-P",
        "--activate-profiles",
        "-s",
        "--settings",
        "-gs",
        "--global-settings",
    ],
    // Ours are the same, or only what is shown differs.
    dropped: &[
        "-o",
        "--offline",
        "-q",
        "--quiet",
        "-B",
        "--batch-mode",
        "-ntp",
        "--no-transfer-progress",
        "-e",
        "--errors",
        "-X",
        "--debug",
        "-fae",
        "--fail-at-end",
        "-ff",
        "--fail-fast",
        "-U",
        "--update-snapshots",
    ],
    accepted: "modules (-pl, -am), profiles (-P), settings (-s) and one of the goals test, verify, clean",
};

pub(crate) fn command(words: &[&str]) -> Option<Result<UserCommand, UnknownCommand>> {
    let (first, rest) = words.split_first()?;
    let (name, program) = program_of(first);
    if !matches!(name, "mvn" | "mvnw") {
        return None;
    }
    // Only the unit tests count: what comes after them is not run.
    let is_goal = |word: &&&str| matches!(**word, "test" | "verify" | "clean");
    if !rest.iter().any(|word| matches!(*word, "test" | "verify")) {
        return None;
    }
    let args: Vec<&str> = rest.iter().filter(|word| !is_goal(word)).copied().collect();
    let short = |word: &&str| word.starts_with("-P") && word.len() > 2;
    let (profiles, args): (Vec<&str>, Vec<&str>) = args.into_iter().partition(short);
    Some(ARGUMENTS.keep(&args, &words.join(" ")).map(|mut extra_args| {
        extra_args.extend(profiles.iter().map(|p| (*p).to_owned()));
        UserCommand { runner: "maven", program, extra_args }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_lang::tree::MemoryTree;

    fn kept(line: &str) -> Result<Vec<String>, UnknownCommand> {
        let words: Vec<&str> = line.split(' ').collect();
        command(&words).unwrap().map(|c| c.extra_args)
    }

    #[test]
    fn a_command_keeps_what_chooses_modules_and_loses_what_only_shows() {
        assert_eq!(kept("mvn test").unwrap(), Vec::<String>::new());
        assert_eq!(
            kept("mvn -q -B -o clean verify -pl a,b -am -Pfast").unwrap(),
            ["-pl", "a,b", "-am", "-Pfast"]
        );
        let given = command(&["./mvnw", "test"]).unwrap().unwrap();
        assert_eq!(given.program.unwrap().to_str(), Some("./mvnw"));
    }

    #[test]
    fn a_command_that_leaves_out_tests_is_refused() {
        for line in [
            "mvn test -DskipTests",
            "mvn -Dtest=A test",
            "mvn test -fn",
            "mvn test -Dmaven.test.failure.ignore",
        ] {
            assert!(matches!(kept(line), Err(UnknownCommand::Argument { .. })), "{line}");
        }
        assert!(command(&["mvn", "package"]).is_none());
        assert!(command(&["gradle", "test"]).is_none());
    }

    mod slow {
        use super::*;

        #[test]
        fn a_pom_is_mavens_and_a_gradle_build_is_nobodys() {
            let pom: MemoryTree = [("a/pom.xml", "<project/>")].into_iter().collect();
            assert_eq!(claims(&pom, "a"), Some(("maven", "a/pom.xml".to_owned())));
            let gradle: MemoryTree = [("build.gradle", "")].into_iter().collect();
            assert_eq!(claims(&gradle, ""), None);
        }
    }
}
