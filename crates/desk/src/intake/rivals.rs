//! The coders beside the first, where several work at once. Checks nothing but what was typed.

use super::casting::Casting;
use crate::told::usage;
use anyhow::Result;
use proctor_core::brief::AgentSpec;
use proctor_core::words::Role;
use std::collections::BTreeMap;

/// More would cost more than they bring.
const MOST: usize = 8;

impl Casting<'_> {
    /// Who works beside the coder. Where several were typed for the role they take turns, the first being the run's own.
    pub fn rivals(&self, cast: &mut BTreeMap<Role, AgentSpec>) -> Result<Vec<AgentSpec>> {
        let Some(count) = self.flags.parallel else { return Ok(Vec::new()) };
        let count = usize::try_from(count.get()).unwrap_or(usize::MAX);
        if count > MOST {
            return Err(usage(format!(
                "--parallel {count}: at most {MOST} coders work at once\nhint: --parallel {MOST}, or several runs (`proctor run FILE…`)"
            )));
        }
        let typed = self.flags.roles.iter().filter_map(|text| text.strip_prefix("coder="));
        let mut coders = Vec::new();
        for name in typed {
            coders.push(self.typed(name)?);
        }
        if coders.is_empty() {
            coders.extend(cast.get(&Role::Coder).cloned());
        }
        let mut all = coders.iter().cycle().take(count).cloned();
        if let Some(first) = all.next() {
            cast.insert(Role::Coder, first);
        }
        Ok(all.collect())
    }
}
