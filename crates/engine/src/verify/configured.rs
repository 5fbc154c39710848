//! New tests without a configuration that may make other code of the code: what they show must not come from it.

use super::Measuring;
use proctor_core::branch::BranchKind;
use proctor_core::report::{CaseEnd, Place};
use proctor_core::verdict::{Finding, Weight};
use proctor_core::words::TestId;
use proctor_lab::Halt;
use proctor_lab::Trial;
use proctor_lang::rewrites_code;
use proctor_tools::Selection;

impl Measuring<'_> {
    /// Where the new tests pass only with such a change, a person says whether it is what everybody gets.
    pub(super) fn configured(&mut self) -> Result<(), Halt> {
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let rewriting = |path: &&String| {
            let (old, new) = (self.scene.base.text(path), self.scene.head.text(path));
            new.is_some() && rewrites_code(path, &text(old), &text(new))
        };
        let paths: Vec<String> = self.scene.touched.iter().filter(rewriting).cloned().collect();
        let red: Vec<TestId> = self.measure.sorted(&self.brief).red;
        if paths.is_empty() || red.is_empty() || self.scene.kind != BranchKind::Both {
            return Ok(());
        }
        let tree = self.scene.head.tree.clone();
        let mut trial = Trial::of(&tree).only(Selection::Ids(red.clone()));
        for path in &paths {
            let old = self.scene.base.text(path).map(|text| text.as_bytes().to_vec());
            trial.edits.insert(path.clone(), old);
        }
        let report = self.runs.report(&trial)?;
        let passes = |id: &TestId| {
            let mut own = report.cases.iter().filter(|(case, _)| *case == id || id.covers(case));
            own.any(|(_, case)| case.end == CaseEnd::Passed)
        };
        let Some(shown) = red.iter().find(|id| !passes(id)) else {
            return Ok(());
        };
        let text = format!(
            "{shown} passes only with the changed {}, which may make other code of the code that is tested; accepted: a change of the code itself, or a person who has looked at it",
            paths.join(", ")
        );
        let place = Place { file: paths.first().cloned().unwrap_or_default(), line: None };
        self.measure.source.push(Finding::new(Weight::NeedsPerson, text).of(shown).at(&place));
        Ok(())
    }
}
