//! Test targets with a harness of their own (`harness = false`): which they are, and what can be said of one. Such a
//! binary may write libtest's JSON (some libraries for harnesses do); then its tests count like any other. Otherwise
//! only its exit code is known: it is named as not judged, or as failed, and never as passed.

use super::build::TestBinary;
use super::libtest;
use crate::ask::{StepEnd, StepOutput};
use proctor_core::report::{CaseEnd, Reason};
use proctor_core::words::TestId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Harness {
    Libtest,
    Own,
}

impl Harness {
    /// What the manifest says of a target. cargo's messages don't tell.
    pub(crate) fn of(manifest: &toml::Table, kind: &str, name: &str) -> Self {
        let off = |entry: &toml::Value| {
            entry.get("harness").and_then(toml::Value::as_bool) == Some(false)
        };
        let entries = |section: &str| {
            manifest.get(section).and_then(toml::Value::as_array).cloned().unwrap_or_default()
        };
        let own = match kind {
            "test" | "bin" | "example" | "bench" => entries(kind)
                .iter()
                .any(|e| e.get("name").and_then(toml::Value::as_str) == Some(name) && off(e)),
            _ => manifest.get("lib").is_some_and(off),
        };
        if own { Self::Own } else { Self::Libtest }
    }
}

/// The case that stands for a whole binary that can't be read.
pub(crate) fn whole(binary: &TestBinary) -> TestId {
    TestId::new(format!("{} (own harness)", binary.id))
}

/// The label of the second run, without arguments, as cargo does it.
pub(crate) fn bare_label(binary: &TestBinary) -> String {
    format!("{} without arguments", binary.id)
}

/// Whether it answered libtest's arguments with libtest's events.
pub(crate) fn speaks_json(step: &StepOutput) -> bool {
    let told = libtest::read(&step.stdout);
    told.closed.is_some() || !told.ends.is_empty() || told.running.is_some()
}

/// Whether it is run again without arguments: it may have failed only because it did not know ours.
pub(crate) fn needs_bare_run(step: &StepOutput) -> bool {
    step.end != StepEnd::Exited(0) && !speaks_json(step)
}

/// What its exit says. None where the step did not end by itself.
pub(crate) fn judged(step: &StepOutput) -> Option<CaseEnd> {
    let failed = |how: String| {
        let message = format!("its own harness {how}\n{}", step.tail());
        Some(CaseEnd::Failed { reason: Reason::Other { message, place: None } })
    };
    match &step.end {
        StepEnd::Exited(0) => Some(CaseEnd::Skipped {
            why: "not judged: its harness is its own (`harness = false`) and tells no single tests"
                .to_owned(),
        }),
        StepEnd::Exited(code) => failed(format!("ended with {code}")),
        StepEnd::Signalled(signal) => failed(format!("was ended by signal {signal}")),
        StepEnd::TimedOut | StepEnd::CouldNotStart(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_says_whose_the_harness_is() {
        let manifest: toml::Table = toml::from_str(
            "[lib]\nharness = false\n[[test]]\nname = \"a\"\nharness = false\n[[test]]\nname = \"b\"\n[[bin]]\nname = \"a\"\n",
        )
        .unwrap();
        let of = |kind, name| Harness::of(&manifest, kind, name);
        assert_eq!(of("lib", "x"), Harness::Own);
        assert_eq!(of("test", "a"), Harness::Own);
        for (kind, name) in [("test", "b"), ("bin", "a"), ("test", "c")] {
            assert_eq!(of(kind, name), Harness::Libtest, "{kind} {name}");
        }
    }
}
