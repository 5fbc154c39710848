//! The command line of `proctor-fleet`.

use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, Parser)]
#[command(name = "proctor-fleet", version, about = "Proctor on many machines")]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start everything on this machine: the service, a worker, and the board in step with both
    Dev(DevArgs),
    /// Take steps of runs from the service, until SIGTERM
    Worker(WorkerArgs),
    /// Give a task to the fleet, in the words of `proctor fix`, `add`, `tidy` and `run`
    Submit(SubmitArgs),
    /// Send a run of this machine to the fleet, with all that it has achieved
    Move(MoveArgs),
    /// Stop a run by the service: what is at work ends first, then it is cleaned up
    Stop {
        /// The run
        run: String,
    },
    /// Keep this machine's list of runs in step with the fleet, until ctrl-c
    Follow,
    /// Any other command of `proctor` that looks at runs or steers them, with the fleet's runs among this machine's own
    #[command(external_subcommand)]
    Proctor(Vec<OsString>),
}

#[derive(Debug, Args)]
pub struct DevArgs {
    /// The port of the service
    #[arg(long, default_value_t = 7233)]
    pub port: u16,
    /// Where it keeps its histories [default: fleet/temporal.db in `PROCTOR_HOME`]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    #[command(flatten)]
    pub worker: WorkerArgs,
}

#[derive(Clone, Debug, Args)]
pub struct WorkerArgs {
    /// This machine's name in the fleet [default: the host's name]
    #[arg(long, value_name = "NAME", env = "PROCTOR_FLEET_HOST")]
    pub name: Option<String>,
    /// How many steps at once, of each queue
    #[arg(long, value_name = "N", default_value = "2")]
    pub slots: NonZeroUsize,
    /// What this machine has: runs that need it may come here
    #[arg(long = "label", value_name = "LABEL")]
    pub labels: Vec<String>,
    /// Seconds that steps at work have to end when this machine is to stop
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub drain: u64,
    /// Work as another version of the machine would, for tests
    #[arg(long, hide = true)]
    pub machine: Option<u32>,
}

impl WorkerArgs {
    pub fn host(&self) -> String {
        let of_system = || std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let name = self.name.clone().or_else(of_system).unwrap_or_else(|| "worker".to_owned());
        name.trim().to_owned()
    }
}

#[derive(Debug, Args)]
pub struct SendArgs {
    /// The remote whose repository the fleet works on [default: the one that the branch follows, else origin]
    #[arg(long, value_name = "NAME")]
    pub remote: Option<String>,
    /// Only machines with this label may work on it
    #[arg(long, value_name = "LABEL")]
    pub needs: Option<String>,
    /// The folder for blobs and logs that every machine reaches [default: fleet/store in `PROCTOR_HOME`]
    #[arg(long, value_name = "DIR", env = "PROCTOR_FLEET_STORE")]
    pub store: Option<PathBuf>,
    /// Seconds after which a silent machine's step goes to another
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub silence: u64,
}

#[derive(Debug, Args)]
pub struct SubmitArgs {
    #[command(flatten)]
    pub send: SendArgs,
    /// The task, such as: `fix "parse() drops the last line" --file src/parse.py`
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "TASK"
    )]
    pub words: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct MoveArgs {
    #[command(flatten)]
    pub send: SendArgs,
    /// The run
    pub run: String,
}
