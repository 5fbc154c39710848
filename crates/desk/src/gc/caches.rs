//! Caches: whatever is made again when it is missing. Must not take anything that is in use.

use super::{DAY, Fate, Sort, Sweep, Swept, changed, millis};
use anyhow::Result;
use proctor_world::stock::{self, Cleared, Stock};
use proctor_world::tree::remove_tree;
use std::path::Path;

/// Folders that hold one file an answer.
const ANSWERS: [&str; 3] = ["baselines", "verdicts", "trials"];

pub(super) fn sweep(sweep: &mut Sweep<'_>) -> Result<()> {
    for kind in Stock::ALL {
        shelf(sweep, kind)?;
    }
    for folder in ANSWERS {
        answers(sweep, folder)?;
    }
    gates(sweep)?;
    rooms(sweep);
    scratch(sweep)
}

fn shelf(sweep: &mut Sweep<'_>, kind: Stock) -> Result<()> {
    let home = sweep.home.root().to_owned();
    for kept in stock::kept(&home, kind)? {
        let used = millis(kept.used);
        if !sweep.is_older(used, sweep.ask.unused) {
            continue;
        }
        let what = format!("{}/{}", kind.folder(), kept.key);
        let bytes = stock::room(&kept.place);
        let swept = Swept { sort: Sort::Cache, what, bytes, used, fate: Fate::WouldGo };
        sweep.let_go(swept, || {
            Ok(match stock::clear(&home, kind, &kept.key)? {
                Cleared::Gone => Fate::Removed,
                Cleared::InUse => Fate::Stays { why: "it is in use".to_owned() },
            })
        });
    }
    Ok(())
}

/// Many small files are told as one thing.
fn answers(sweep: &mut Sweep<'_>, folder: &str) -> Result<()> {
    let entries = stock::entries(&sweep.home.root().join(folder))?;
    let dated =
        entries.into_iter().filter(|(_, about)| about.is_file()).filter_map(|(path, about)| {
            let used = millis(about.modified().ok()?);
            sweep.is_older(used, sweep.ask.unused).then_some((path, used))
        });
    let old: Vec<_> = dated.collect();
    let Some(used) = old.iter().map(|(_, used)| *used).max() else { return Ok(()) };
    let bytes = old.iter().map(|(path, _)| stock::room(path)).sum();
    let answers = if old.len() == 1 { "answer" } else { "answers" };
    let what = format!("{folder}: {} {answers}", old.len());
    let swept = Swept { sort: Sort::Cache, what, bytes, used, fate: Fate::WouldGo };
    sweep.let_go(swept, || {
        for (path, _) in &old {
            std::fs::remove_file(path)?;
        }
        Ok(Fate::Removed)
    });
    Ok(())
}

/// Trees in which gates judged: of runs that have ended, and of verifications that were killed.
fn gates(sweep: &mut Sweep<'_>) -> Result<()> {
    for (path, _) in stock::entries(&sweep.home.root().join("gates"))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let used = changed(&path);
        let nobodys = !sweep.runs.contains_key(&name) && sweep.is_older(used, DAY);
        if nobodys || sweep.ended(&name).is_some() {
            folder(sweep, &path, format!("gates/{name}"), used);
        }
    }
    Ok(())
}

/// What was installed for the agents of a run that has ended.
fn rooms(sweep: &mut Sweep<'_>) {
    let ended: Vec<_> = sweep.runs.values().map(|row| row.id.clone()).collect();
    for id in ended {
        let path = sweep.home.room(&id);
        if path.is_dir() && sweep.ended(id.as_str()).is_some() {
            let used = changed(&path);
            folder(sweep, &path, format!("runs/{id}/room"), used);
        }
    }
}

/// Packs that were being looked at when somebody was killed.
fn scratch(sweep: &mut Sweep<'_>) -> Result<()> {
    for (path, _) in stock::entries(&sweep.home.root().join("packs"))? {
        let used = changed(&path);
        if sweep.is_older(used, DAY) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            folder(sweep, &path, format!("packs/{name}"), used);
        }
    }
    Ok(())
}

fn folder(sweep: &mut Sweep<'_>, path: &Path, what: String, used: proctor_core::words::Millis) {
    let bytes = stock::room(path);
    let swept = Swept { sort: Sort::Cache, what, bytes, used, fate: Fate::WouldGo };
    sweep.let_go(swept, || {
        remove_tree(path)?;
        Ok(Fate::Removed)
    });
}
