//! Questions of the change that nothing it is given decides, answered with yes and with no: where tests need the one answer and none needs
//! the other, the work holds only where that is so.

use super::{Done, Experiment, Found, Tampering, Try, fates};
use crate::ambient::{Kind, Question, questions};
use crate::branch::Branch;
use proctor_core::branch::{BranchKind, Evidence, Fate, Needs, OneSided};
use proctor_core::report::Place;
use proctor_core::trial::{Selection, Sought};
use proctor_core::verdict::CheckName as C;
use proctor_lang::Change;
use std::collections::{BTreeMap, BTreeSet};

/// How many are tried at most: each needs the suite twice.
const MOST: usize = 12;

pub(super) struct Ambient;

impl Experiment for Ambient {
    fn what(&self) -> &'static str {
        "questions that no input decides"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Isolation]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let asked = asked(branch);
        if !done.is_empty() || asked.is_empty() {
            return Vec::new();
        }
        let text = |file: &str| branch.head.text(file).unwrap_or_default().to_owned();
        let texts: BTreeMap<String, String> =
            asked.iter().map(|(file, _)| (file.clone(), text(file))).collect();
        let both = |(file, question): &(String, Question)| {
            [&question.yes, &question.no]
                .map(|edit| Change { file: file.clone(), edit: edit.clone() })
        };
        let changes = asked.iter().take(MOST).flat_map(both).collect();
        let noticing = Selection::All;
        vec![Try::Changes(Tampering {
            texts,
            changes,
            noticing,
            parts: None,
            what: "answers",
            sought: Sought::Fates,
        })]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let Some(fates) = fates(done) else { return Found::default() };
        let asked = asked(branch);
        let one = |((file, question), fates): (&(String, Question), &[Fate])| {
            let needs = match (question.kind, fates) {
                (Kind::Condition, [Fate::Survived, Fate::Killed]) => Needs::Yes,
                (Kind::Condition, [Fate::Killed, Fate::Survived]) => Needs::No,
                // Where tests set it, they miss what they set.
                (Kind::Value, [Fate::Survived, Fate::Killed]) => Needs::Here,
                _ => return None,
            };
            let place = Place { file: file.clone(), line: Some(question.line) };
            Some(OneSided { question: question.text.clone(), place, needs })
        };
        let found = asked.iter().zip(fates.chunks(2)).filter_map(one).collect();
        let count = (asked.len().min(MOST), asked.len());
        Found::from(Evidence::Ambient(found)).of_all(C::Isolation, self.what(), count)
    }
}

fn asked(branch: &Branch<'_>) -> Vec<(String, Question)> {
    if branch.kind != BranchKind::Both {
        return Vec::new();
    }
    let of = |(file, lines): (&String, &BTreeSet<u32>)| {
        let text = branch.head.text(file).filter(|_| branch.tests.is_source(file))?;
        let old = branch.base.text(file).unwrap_or_default();
        let all = questions(file, text, old, lines).into_iter();
        Some(all.map(|q| (file.clone(), q)).collect::<Vec<_>>())
    };
    let mut all: Vec<(String, Question)> = branch.lines.iter().filter_map(of).flatten().collect();
    if all.iter().any(|(_, question)| imported(&question.text).is_some()) {
        let declared = declared(branch);
        all.retain(|(_, question)| {
            imported(&question.text).is_none_or(|module| !declared.contains(&module))
        });
    }
    all
}

/// The module that an import names, as a manifest may write it.
fn imported(text: &str) -> Option<String> {
    let rest = text.strip_prefix("import ").or_else(|| text.strip_prefix("from "))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.get(..end).map(plain)
}

fn plain(text: &str) -> String {
    text.to_lowercase().replace('_', "-")
}

/// What users may be told to install, as far as the manifests say.
fn declared(branch: &Branch<'_>) -> String {
    let files = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"];
    let texts = (branch.texts)(branch.head.tree(), &files.map(str::to_owned));
    plain(&texts.into_values().collect::<String>())
}
