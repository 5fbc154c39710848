//! npm: what `npm pack` takes, in the folder of a consumer that has what the package declares and no more. Modules that
//! tests import by their paths answer there as the package's entries do.

use super::{Kind, Packed, Packing, room};
use crate::ask::{Ask, Plan, Step, StepOutput, slashed};
use crate::js::tool;
use proctor_lang::child_file;
use proctor_lang::tree::{below, upward};
use proctor_lang::zone::{SCRIPTS, Zone, has_ending, zone};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

const PROGRAM: [(&str, &str); 2] =
    [("pack.cjs", include_str!("js/pack.cjs")), ("probe.mjs", include_str!("js/probe.mjs"))];

pub(super) fn plan(runner: &str, ask: &Ask, paths: &[String]) -> Option<Packing> {
    let root = upward(&slashed(Path::new(&ask.subdir))).into_iter().find_map(|folder| {
        let text = child_file::read_to_string(ask.tree.join(below(folder, "package.json"))).ok()?;
        Some((folder.to_owned(), serde_json::from_str::<Value>(&text).ok()?))
    });
    let (root, manifest) = root?;
    // Nobody gets what is private, or has no name and version to be got by.
    let has = |key: &str| manifest.get(key).is_some_and(Value::is_string);
    if manifest.get("private") == Some(&Value::Bool(true)) || !has("name") || !has("version") {
        return None;
    }
    let shop = room(ask);
    let is_test = |path: &&String| {
        zone(path) == Zone::Test && SCRIPTS.iter().any(|ending| has_ending(path, ending))
    };
    let tests: Vec<_> = paths.iter().filter(is_test).map(|path| ask.tree.join(path)).collect();
    let work = json!({
        "root": ask.tree.join(&root), "own": shop.join("own"), "tests": tests,
        // It loads modules of the other kind in a way of its own.
        "requires": runner == "jest",
    });
    let mut files: Vec<_> = PROGRAM
        .into_iter()
        .map(|(name, text)| (shop.join(name), text.as_bytes().to_vec()))
        .collect();
    files.push((shop.join("work.json"), work.to_string().into_bytes()));
    let folders = vec![ask.home(), ask.temp(), shop.clone(), shop.join("own")];
    let argv = vec![
        ask.tools.program("node").into(),
        shop.join("pack.cjs").into(),
        shop.join("work.json").into(),
    ];
    let mut env = tool::environment(ask);
    env.retain(|key, _| key != "NODE_OPTIONS");
    env.insert("npm_config_update_notifier".into(), "false".into());
    let step = Step { label: "package".to_owned(), argv, cwd: ask.tree.join(&root), env };
    let env = vec![("PACKAGE_SOURCES".to_owned(), shop.join("own").join("consumer").into())];
    Some(Packing { plan: Plan { files, folders }, step, env, root, kind: Kind::Script })
}

#[derive(Deserialize)]
struct Told {
    why: Option<String>,
}

pub(super) fn read(done: &StepOutput) -> Result<Packed, String> {
    let text = String::from_utf8_lossy(&done.stdout);
    let told: Told = serde_json::from_str(text.lines().next_back().unwrap_or_default())
        .map_err(|_| "what npm said can't be read".to_owned())?;
    told.why.map_or_else(|| Ok(Packed::default()), Err)
}
