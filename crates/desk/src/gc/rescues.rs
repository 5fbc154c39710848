//! Rescue refs of runs that ended long ago. The work itself stays readable: each run keeps its `rescue.patch`.

use super::{Act, Fate, Sort, Sweep, Swept};
use anyhow::Result;
use proctor_core::words::Millis;
use proctor_world::shadow::Shadow;
use proctor_world::stock;

pub(super) fn sweep(sweep: &mut Sweep<'_>) -> Result<()> {
    let repos = sweep.home.root().join("repos");
    for (dir, about) in stock::entries(&repos)? {
        if !about.is_dir() || dir.extension().is_none_or(|end| end != "git") {
            continue;
        }
        let shadow = Shadow::there(&dir)?;
        let before = stock::room(&dir);
        let mut dropped = 0;
        for (name, commit) in shadow.rescued()? {
            let Some((id, used)) = owner(sweep, &name) else { continue };
            if !sweep.is_older(used, sweep.ask.rescued) {
                continue;
            }
            let swept = Swept {
                sort: Sort::Rescue,
                what: format!("refs/proctor/rescue/{name} at {}", commit.short()),
                bytes: 0,
                used,
                fate: Fate::WouldGo,
            };
            let run = sweep.home.run(&proctor_core::words::RunId::new(id));
            if !run.join("rescue.patch").is_file() {
                sweep.stays(swept, "there is no rescue.patch beside it that keeps the work");
                continue;
            }
            dropped += 1;
            sweep.let_go(swept, || {
                shadow.delete_ref(&format!("refs/proctor/rescue/{name}"))?;
                Ok(Fate::Removed)
            });
        }
        if dropped > 0 && sweep.ask.act == Act::Clear {
            shadow.prune()?;
            sweep.freed = sweep.freed.saturating_add(before.saturating_sub(stock::room(&dir)));
        }
    }
    Ok(())
}

/// The run that has ended and whose work a ref keeps, and when it was heard of last.
fn owner(sweep: &Sweep<'_>, name: &str) -> Option<(String, Millis)> {
    let bare = name.rsplit_once('-').map(|(bare, _)| bare).filter(|bare| is_of(name, bare));
    let row = [Some(name), bare].into_iter().flatten().find_map(|id| sweep.runs.get(id))?;
    sweep.ended(row.id.as_str()).map(|row| (row.id.to_string(), row.updated))
}

/// Whether a ref's last part names the work of this run: its id, or its id with a number from 2 on.
pub(super) fn is_of(name: &str, id: &str) -> bool {
    match name.strip_prefix(id) {
        Some("") => true,
        Some(rest) => rest
            .strip_prefix('-')
            .and_then(|number| number.parse::<u32>().ok())
            .is_some_and(|number| number > 1),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn a_ref_is_known_by_its_run() {
        for (name, id, is) in [
            ("sum-ab12", "sum-ab12", true),
            ("sum-ab12-2", "sum-ab12", true),
            ("sum-ab12-1", "sum-ab12", false),
            ("sum-ab12-x", "sum-ab12", false),
            ("sum-ab123", "sum-ab12", false),
            ("other", "sum-ab12", false),
        ] {
            assert_eq!(is_of(name, id), is, "{name} {id}");
        }
    }
}
