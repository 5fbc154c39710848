//! The audit that Proctor makes itself: secrets that the change would bring in.

use super::trees::sources;
use super::{Halt, Job};
use proctor_core::event::Outcome;
use proctor_core::proof::Point;
use proctor_core::secret::{Allowed, scan, secret_name};
use proctor_core::words::TreeId;
use proctor_world::listing::Change;
use proctor_world::shadow::Shadow;

pub(super) fn audit(job: &Job, code: &Point) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let base = shadow.tree_of(&job.run.base)?;
    let allowed = &job.run.brief.allowed_secrets;
    Ok(Outcome::Audited { findings: new_secrets(&shadow, allowed, (&base, &code.tree))? })
}

/// What looks like a secret in `to` and did not stand there in `from`, each with its place.
pub(super) fn new_secrets(
    shadow: &Shadow,
    allowed: &Allowed,
    (from, to): (&TreeId, &TreeId),
) -> Result<Vec<String>, Halt> {
    let changed = shadow.changed(from, to)?;
    let touched = |path: &str| changed.iter().any(|(p, _)| p == path);
    let before = sources(shadow, &*shadow.list(from)?, touched)?.0;
    let after = sources(shadow, &*shadow.list(to)?, touched)?.0;
    let mut findings = Vec::new();
    for (path, change) in &changed {
        let Some(text) = after.get(path) else { continue };
        if matches!(change, Change::Added)
            && let Some(rule) = secret_name(path)
            // Code may well be about secrets; by such a word alone nothing is one.
            && !["*secret*", "*credential*"].contains(&rule.pattern())
            && !allowed.allows(path, rule.pattern())
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
        for finding in allowed.scan(path, text).iter().filter(|f| !known.contains(&f.rule)) {
            findings.push(format!(
                "{path}:{}: looks like a secret ({}); take it out",
                finding.line, finding.rule
            ));
        }
    }
    Ok(findings)
}
