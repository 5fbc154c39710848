//! A tree that holds what users get: what that is, its own tools say in a step before the tests' steps.

use super::TestRuns;
use crate::Halt;
use crate::disk::write_plan;
use crate::stage::Stage;
use crate::suite::Bench;
use proctor_core::trial::{Factor, Trial};
use proctor_tools::{Ask, Packed, packed, packing};
use std::fs;
use std::io::ErrorKind;

/// How long a package may take to be built.
const LIMIT_MS: u64 = 180_000;

impl TestRuns<'_> {
    /// Makes a tree hold what users get, where a trial asks for that; why it could not be, if so.
    pub(super) fn pack(
        &self,
        bench: &Bench,
        ask: &mut Ask,
        stage: &Stage,
        trial: &Trial,
    ) -> Result<Option<String>, Halt> {
        if !trial.elsewhere.contains(&Factor::Packed) {
            return Ok(None);
        }
        let paths: Vec<String> = self.shadow.list(&trial.tree)?.keys().cloned().collect();
        let Some(packing) = packing(bench.runner.name(), ask, &paths) else { return Ok(None) };
        write_plan(&packing.plan)?;
        let plain = Trial::of(&trial.tree).within(LIMIT_MS);
        let mut only = Some(packing.step.clone());
        let done = self.run_steps((stage, ask, &plain), |_| only.take(), |_| Ok(()))?;
        let Some(done) = done.first() else { return Ok(None) };
        let Packed { without, with, why } = packed(&packing, ask, &paths, done);
        if let Some(why) = why {
            let place = if packing.root.is_empty() { "." } else { &packing.root };
            return Ok(Some(format!("the package of {place} as users get it: {why}")));
        }
        for path in without {
            let file = stage.root().join(path);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Halt::io("could not remove", &file, &error));
                }
                _ => {}
            }
        }
        for (path, bytes) in with {
            stage.put(&path, &bytes)?;
        }
        let env = packing
            .env
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string_lossy().into_owned()));
        ask.extra_env.extend(env);
        Ok(None)
    }
}
