//! Which commands were run: a line for each child beside its logs, for whoever wants to see or repeat it. Names of
//! environment variables only, never a value.

use crate::command::{COMMANDS, CommandEnd, CommandRecord, Printed};
use crate::{Halt, Lab};
use proctor_core::words::Millis;
use proctor_world::child::{End, Ended, Launch};
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

impl Lab {
    /// Writes down what was run and how it ended.
    pub fn record(&self, launch: &Launch, ended: &Ended, started: Millis) -> Result<(), Halt> {
        let masks = &self.masks;
        let printed = |path| Printed::read(path).map_err(|e| Halt::io("could not read", path, &e));
        let command = CommandRecord {
            name: launch.name.clone(),
            argv: launch.argv.iter().map(|word| masks.hide(&word.to_string_lossy())).collect(),
            cwd: masks.hide_path(&launch.cwd),
            env: launch.env.keys().map(|name| name.to_string_lossy().into_owned()).collect(),
            sandbox: launch.bounds.as_ref().map(|bounds| bounds.level.name().to_owned()),
            started,
            took_ms: u64::try_from(ended.took.as_millis()).unwrap_or(u64::MAX),
            end: match &ended.how {
                End::Exited(code) => CommandEnd::Exited { exit: *code },
                End::Signalled(signal) => CommandEnd::Signalled { signal: *signal },
                End::TimedOut => CommandEnd::TimedOut,
                End::Cancelled => CommandEnd::Cancelled,
                End::CouldNotStart(why) => CommandEnd::CouldNotStart { why: masks.hide(why) },
            },
            stdout: printed(&ended.stdout)?,
            stderr: printed(&ended.stderr)?,
        };
        let path = launch.logs.join(COMMANDS);
        let mut line = serde_json::to_vec(&command)
            .map_err(|e| Halt::lasting(format!("a command can't be written down: {e}")))?;
        line.push(b'\n');
        // One write at the end of the file: children that run at the same time do not mix their lines.
        OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&path)
            .and_then(|mut file| file.write_all(&line))
            .map_err(|e| Halt::io("could not write", &path, &e))
    }
}
