//! Asks a program for its version, under a keeper and with a time limit like every other child.

use crate::surroundings::{Surroundings, own_program};
use anyhow::Result;
use proctor_world::child::{Cancel, End, Keeper, Launch, Stdin, read_capped};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);
const MOST: u64 = 64 * 1024;

pub struct Probe {
    keeper: Keeper,
    env: BTreeMap<OsString, OsString>,
    cwd: PathBuf,
}

impl Probe {
    pub fn new(around: &Surroundings) -> Result<Self> {
        Ok(Self {
            keeper: Keeper { program: own_program()?, args: vec!["keep".into()] },
            env: around.env.clone(),
            cwd: around.cwd.clone(),
        })
    }

    /// What a program prints, or why it could not be asked.
    pub fn says(&self, argv: &[&OsStr]) -> Result<String, String> {
        let logs = std::env::temp_dir().join(format!("proctor-probe-{}", std::process::id()));
        let answer = self.ask(argv, &logs);
        // Only our own outputs are in there; what stays behind is harmless.
        let _ = std::fs::remove_dir_all(&logs);
        answer
    }

    fn ask(&self, argv: &[&OsStr], logs: &std::path::Path) -> Result<String, String> {
        std::fs::create_dir_all(logs).map_err(|why| why.to_string())?;
        let launch = Launch {
            argv: argv.iter().map(OsString::from).collect(),
            cwd: self.cwd.clone(),
            env: self.env.clone(),
            stdin: Stdin::Empty,
            limit: LIMIT,
            logs: logs.to_owned(),
            name: "probe".to_owned(),
            bounds: None,
        };
        let ended = self.keeper.run(&launch, &Cancel::new()).map_err(|why| why.to_string())?;
        let read = |path| {
            read_capped(path, MOST)
                .map(|captured| String::from_utf8_lossy(&captured.bytes).trim().to_owned())
                .map_err(|why| why.to_string())
        };
        let (stdout, stderr) = (read(&ended.stdout)?, read(&ended.stderr)?);
        let said = if stdout.is_empty() { stderr } else { stdout };
        match ended.how {
            End::Exited(0) => Ok(said),
            End::Exited(code) => Err(format!("exit code {code}: {said}")),
            End::Signalled(signal) => Err(format!("ended by signal {signal}")),
            End::TimedOut => Err("no answer in time".to_owned()),
            End::Cancelled => Err("cancelled".to_owned()),
            End::CouldNotStart(why) => Err(why),
        }
    }
}
