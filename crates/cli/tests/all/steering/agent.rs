//! A command agent that does the feature `sub`, and that a test can hold in any phase: it waits there until the test
//! lets it go, so that nothing depends on how fast the machine is.

use crate::repos::place::{Place, SUB, SUB_TEST};
use proctor_testkit::Call;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

pub struct Agent<'a> {
    place: &'a Place,
    folder: PathBuf,
}

impl<'a> Agent<'a> {
    pub fn at(place: &'a Place) -> Self {
        let folder = place.env.user_home().join("agent");
        std::fs::create_dir(&folder).expect("the agent's folder");
        let program = folder.join("agent.sh");
        std::fs::write(&program, script()).expect("the agent's program");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&program, mode).expect("the mode of the agent's program");
        Self { place, folder }
    }

    /// From now on the agent waits when it comes to this phase.
    pub fn hold(&self, phase: &str) {
        std::fs::write(self.held(phase), "").expect("a hold");
    }

    pub fn release(&self, phase: &str) {
        std::fs::remove_file(self.held(phase)).expect("a hold to be lifted");
    }

    fn held(&self, phase: &str) -> PathBuf {
        self.folder.join(format!("hold-{phase}"))
    }

    /// A run of the feature `sub` by this agent.
    pub fn add(&self, args: &[&str]) -> Call {
        let command = self.command();
        self.place
            .env
            .call(self.place.path())
            .args(&["add", "a sub function", "--id", "T-1", "--agent-cmd", &command])
            .args(args)
    }

    pub fn command(&self) -> String {
        format!("'{}'", self.folder.join("agent.sh").display())
    }
}

/// The second turn of a phase finds its own work there, so writing is the same each time.
fn script() -> String {
    format!(
        r##"#!/bin/sh
echo "here: $PROCTOR_PHASE"
here=${{0%/*}}
while [ -e "$here/hold-$PROCTOR_PHASE" ]; do sleep 0.05; done
case $PROCTOR_PHASE in
write_tests)
    cat >tests/test_sub.py <<'END'
{SUB_TEST}END
    out='{{"status": "PREPARED_FOR_FIX", "test_file_path": "tests/test_sub.py", "notes": "written"}}' ;;
implement)
    grep -q 'def sub' calc.py || cat >>calc.py <<'END'
{SUB}END
    echo "# turn $PROCTOR_ATTEMPT" >>calc.py
    out='{{"status": "READY_FOR_REVIEW", "fix_description": "sub", "notes": "done"}}' ;;
refactor)
    out='{{"refactored": false, "notes": "nothing"}}' ;;
review)
    out='{{"status": "SUCCESS", "reason": null, "notes": "fine"}}' ;;
esac
printf '%s\n' "$out" >"$PROCTOR_OUTPUT"
"##
    )
}
