//! The queues that machines take work from. Each has the version of the machine in its name, so that a history is gone on with
//! by no other than the version that began it.

use proctor_core::run::MACHINE;

pub struct Queues {
    machine: u32,
    needs: Option<String>,
}

impl Queues {
    pub fn of(needs: Option<&str>) -> Self {
        Self { machine: MACHINE, needs: needs.map(str::to_owned) }
    }

    /// Of a machine with another version, for tests of what it may take.
    pub fn of_machine(machine: u32) -> Self {
        Self { machine, needs: None }
    }

    /// Where workflows are.
    pub fn courses(&self) -> String {
        format!("proctor-{}", self.machine)
    }

    /// Where effects are that any machine with what is needed may take.
    pub fn effects(&self) -> String {
        match &self.needs {
            Some(label) => format!("{}+{label}", self.courses()),
            None => self.courses(),
        }
    }

    /// The same, for a machine that has this label.
    pub fn with(&self, label: &str) -> String {
        format!("{}+{label}", self.courses())
    }

    /// Where effects are that one machine is to take, because it did the step before.
    pub fn of_host(&self, host: &str) -> String {
        format!("{}@{host}", self.courses())
    }
}
