//! The audit that Proctor makes itself: secrets that the change would bring in.

use super::trees::sources;
use super::{Halt, Job};
use proctor_core::event::Outcome;
use proctor_core::proof::Point;
use proctor_core::secret::{scan, secret_name};
use proctor_world::listing::Change;

pub(super) fn audit(job: &Job, code: &Point) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let base = shadow.tree_of(&job.run.base)?;
    let changed = shadow.changed(&base, &code.tree)?;
    let touched = |path: &str| changed.iter().any(|(p, _)| p == path);
    let before = sources(&shadow, &shadow.list(&base)?, touched)?.0;
    let after = sources(&shadow, &shadow.list(&code.tree)?, touched)?.0;
    let mut findings = Vec::new();
    for (path, change) in &changed {
        let Some(text) = after.get(path) else { continue };
        if matches!(change, Change::Added)
            && let Some(rule) = secret_name(path)
        {
            findings.push(format!(
                "{path}: a new file whose name looks like a secret ({})",
                rule.pattern()
            ));
        }
        // What stood there before is not this change's doing.
        let known: Vec<&str> = before
            .get(path)
            .map(|old| scan(old).iter().map(|f| f.rule).collect())
            .unwrap_or_default();
        for finding in scan(text).iter().filter(|f| !known.contains(&f.rule)) {
            findings.push(format!(
                "{path}:{}: looks like a secret ({}); take it out",
                finding.line, finding.rule
            ));
        }
    }
    Ok(Outcome::Audited { findings })
}
