//! What reading the branch shows, without running anything: suspicious lines, hidden tests, names that it adds.

use super::conduct::texts_of;
use super::scene::Scene;
use proctor_core::concern::Concern;
use proctor_core::item::TestItem;
use proctor_core::report::Place;
use proctor_core::verdict::{Finding, Weight};
use proctor_experiments::{
    Parcel, Suspicion, SuspicionKind, Unreached, Unshipped, for_effect, is_executable_source,
    manifests, private, suspicions, takes_in, unreached as unreached_in, unshipped as shipped,
};
use proctor_lab::{Halt, Suite, sources_within};
use proctor_lang::{
    Language, Zone, dependency_changes, is_source, names_dependencies, parent, zone,
};
use proctor_world::shadow::Shadow;
use std::collections::{BTreeMap, BTreeSet};

/// How many names a branch may add and still be searched for them.
const MOST_NAMES: usize = 5_000;
/// A source that is larger is not searched for what it takes in.
const MOST_READ: u64 = 1024 * 1024;
/// How many lines are named of one kind.
const MOST_OF_A_KIND: usize = 20;

fn found(scene: &Scene) -> Vec<Suspicion> {
    let mut found = Vec::new();
    for (path, lines) in &scene.lines {
        if let Some(text) = scene.head.text(path) {
            found.extend(suspicions(path, text, lines));
        }
    }
    for path in &scene.touched {
        if zone(path) != Zone::Test || scene.lines.contains_key(path) {
            continue;
        }
        let Some(text) = scene.head.text(path) else { continue };
        let lines = super::differing(path, scene.base.text(path).unwrap_or(""), text);
        let seen = suspicions(path, text, &lines).into_iter().filter(|s| is_disguise(s.kind));
        found.extend(seen);
    }
    found
}

fn is_disguise(kind: SuspicionKind) -> bool {
    matches!(kind, SuspicionKind::Hidden | SuspicionKind::LookAlike)
}

/// What a suspicion weighs. Only what honest code hardly ever holds, and no run can clear up, waits for a person.
fn weight(kind: SuspicionKind) -> Weight {
    match kind {
        SuspicionKind::Hidden
        | SuspicionKind::LookAlike
        | SuspicionKind::RunnerTampering
        | SuspicionKind::Peeking
        | SuspicionKind::Unfinished
        | SuspicionKind::Skip => Weight::NeedsPerson,
        SuspicionKind::Exit
        | SuspicionKind::TestDetection
        | SuspicionKind::Equality
        | SuspicionKind::Suppression => Weight::Warning,
    }
}

/// Everything to look at in the changed lines.
pub(super) fn source(scene: &Scene) -> Vec<Finding> {
    let mut counts: BTreeMap<SuspicionKind, usize> = BTreeMap::new();
    let mut findings = Vec::new();
    for suspicion in found(scene) {
        let n = counts.entry(suspicion.kind).or_default();
        *n += 1;
        if *n <= MOST_OF_A_KIND {
            let mut finding = Finding::new(weight(suspicion.kind), suspicion.text);
            finding.kind = is_disguise(suspicion.kind).then_some(Concern::HiddenCharacters);
            findings.push(finding.at(&suspicion.place));
        }
    }
    for path in scene.touched.iter().filter(|path| names_dependencies(path)) {
        let text = |tree: &str| tree.as_bytes().to_vec();
        let old = scene.base.text(path).map(text).unwrap_or_default();
        let new = scene.head.text(path).map(text).unwrap_or_default();
        let place = Place { file: path.clone(), line: None };
        for change in dependency_changes(path, &old, &new) {
            findings
                .push(Finding::new(Weight::Warning, format!("dependency: {change}")).at(&place));
        }
    }
    // Nobody has read it, and no rule could: what it does is for a person to say, however the tests end.
    for path in &scene.too_large {
        let place = Place { file: path.clone(), line: None };
        let text = format!(
            "{path} is too large to be read; accepted: a smaller file, or a person who has looked at it"
        );
        findings.push(Finding::for_person(Concern::Unread, text).at(&place));
    }
    for path in &scene.unreadable {
        let place = Place { file: path.clone(), line: None };
        let text = format!(
            "{path} is no UTF-8, names an encoding in which letters stand for others, or is longer than 1 MiB, so its lines were not read; accepted: UTF-8 and shorter files, or a person who has looked at it"
        );
        findings.push(Finding::for_person(Concern::Unread, text).at(&place));
    }
    for path in &scene.elsewhere {
        let place = Place { file: path.clone(), line: None };
        let text = format!(
            "{path} leads elsewhere now (a link, or a submodule's other commit), and what is there is not among the changes: it was not judged; accepted: the file itself in its place, or a person who has looked at it"
        );
        findings.push(Finding::for_person(Concern::Unread, text).at(&place));
    }
    for path in &scene.unread {
        let place = Place { file: path.clone(), line: None };
        let text = format!(
            "{path} says that it is generated, is no text or very large: its lines were neither read nor broken on purpose; accepted: sources without that mark, or a person who knows what made it"
        );
        findings.push(Finding::for_person(Concern::Unread, text).at(&place));
    }
    findings
}

/// What of the change a user does not get as it is tested.
pub(super) fn unshipped(shadow: &Shadow, scene: &Scene) -> Result<Vec<Finding>, Halt> {
    let paths = || scene.head.listing.keys().map(String::as_str);
    let read = texts_of(shadow, &scene.head.tree, &manifests(paths(), &scene.lines))?;
    let text =
        |path: &str| read.get(path).cloned().or_else(|| Some(scene.head.text(path)?.to_owned()));
    let found = shipped(&Parcel {
        paths: paths().collect(),
        base_has: &|path| scene.base.listing.contains_key(path),
        lines: &scene.lines,
        text: &text,
    });
    let finding = |one: Unshipped| Finding::new(Weight::NeedsPerson, one.text).at(&one.place);
    Ok(found.into_iter().map(finding).collect())
}

/// Private functions of the change that production code does not name.
pub(super) fn unreached(shadow: &Shadow, scene: &Scene) -> Result<Vec<Finding>, Halt> {
    let of = |(file, lines): (&String, &BTreeSet<u32>)| {
        Some(private(file, scene.head.text(file)?, lines))
    };
    let all: Vec<Unreached> = scene.lines.iter().filter_map(of).flatten().collect();
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let ending = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let endings: BTreeSet<String> = all.iter().map(|one| ending(&one.place.file)).collect();
    let sources = scene.head.listing.keys().filter(|path| endings.contains(&ending(path)));
    let sources: Vec<String> = sources.cloned().collect();
    let texts = texts_of(shadow, &scene.head.tree, &sources)?;
    let finding = |one: Unreached| {
        let text = format!(
            "{} defines `{}`, which is private, and no production code calls it: what its tests show reaches nobody; accepted: code that calls it, or a public name",
            one.place, one.name
        );
        Finding::new(Weight::NeedsPerson, text).at(&one.place)
    };
    Ok(unreached_in(all, &texts).into_iter().map(finding).collect())
}

/// New sources that no production code takes in: what tests load for its effect alone, and packages that nobody else may import.
pub(super) fn unloaded(shadow: &Shadow, scene: &Scene) -> Result<Vec<Finding>, Halt> {
    let is_new = |path: &&String| {
        !scene.base.listing.contains_key(path.as_str()) && zone(path) == Zone::Production
    };
    let new: Vec<&String> = scene.lines.keys().filter(is_new).collect();
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let (sources, _) = sources_within(shadow, &scene.head.listing, MOST_READ, is_source)?;
    let production = sources.0.iter().filter(|(path, _)| is_source(path));
    let production: Vec<(&str, &str)> = production
        .filter_map(|(path, text)| Some((path.as_str(), std::str::from_utf8(text).ok()?)))
        .collect();
    let sources = || production.iter().copied();
    let mut found = Vec::new();
    for path in new {
        let folder = parent(path);
        let is_go = Language::of(path) == Some(Language::Go);
        let is_package = |file: &str| is_go && parent(file) == folder;
        if sources().any(|(file, text)| !is_package(file) && takes_in((file, text), path)) {
            continue;
        }
        let place = Place { file: path.clone(), line: None };
        let is_old = scene.base.listing.keys().any(|old| is_package(old));
        let closed = is_go && folder.split('/').any(|part| part == "internal");
        let tests = scene.touched.iter().filter(|file| zone(file) == Zone::Test);
        let mut loading = tests.filter(|file| {
            let text = scene.head.text(file).unwrap_or_default();
            takes_in((file.as_str(), text), path) && for_effect(file, text, path)
        });
        let text = if closed && !is_old {
            format!(
                "{folder} is internal, and no package imports it: what its tests show reaches nobody; accepted: code that imports it"
            )
        } else if let Some(test) = loading.next() {
            format!(
                "{test} loads {path} and names nothing of it, and no production code loads it: what the test shows, users do not get; accepted: production code that loads it"
            )
        } else {
            continue;
        };
        found.push(Finding::new(Weight::NeedsPerson, text).at(&place));
    }
    Ok(found)
}

/// What lies among the tests and is a part of the program all the same: nobody held it against the base as code.
pub(super) fn among_tests(shadow: &Shadow, scene: &Scene) -> Result<Vec<Finding>, Halt> {
    let is_own =
        |path: &&String| zone(path) == Zone::Test && scene.head.listing.contains_key(path.as_str());
    let candidates: Vec<&String> = scene.touched.iter().filter(is_own).collect();
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let (sources, _) = sources_within(shadow, &scene.head.listing, MOST_READ, is_source)?;
    let texts = sources.0.iter().filter(|(path, _)| is_source(path));
    let texts = texts.filter_map(|(path, text)| Some((path, std::str::from_utf8(text).ok()?)));
    let mut found = Vec::new();
    for (file, text) in texts {
        for path in candidates.iter().filter(|path| takes_in((file.as_str(), text), path.as_str()))
        {
            let place = Place { file: (*path).clone(), line: None };
            let text = format!(
                "{file} takes in {path}, which lies among the tests: it is a part of the program, and was neither put back to the base nor broken on purpose; accepted: that file outside of the folders of tests"
            );
            found.push(Finding::new(Weight::NeedsPerson, text).at(&place));
        }
    }
    Ok(found)
}

/// Where production code asks whether it is under test.
pub(super) fn detections(scene: &Scene) -> Vec<Place> {
    places(scene, SuspicionKind::TestDetection)
}

/// Where production code decides what is equal.
pub(super) fn equalities(scene: &Scene) -> Vec<Place> {
    places(scene, SuspicionKind::Equality)
}

fn places(scene: &Scene, kind: SuspicionKind) -> Vec<Place> {
    found(scene).into_iter().filter(|s| s.kind == kind).map(|s| s.place).collect()
}

/// Old tests of Python that a later one of the same name takes the place of.
pub(super) fn hidden(scene: &Scene, suite: &Suite) -> Vec<TestItem> {
    let is_python =
        |path: &&String| std::path::Path::new(path).extension().is_some_and(|e| e == "py");
    let paths: Vec<String> = scene.touched.iter().filter(is_python).cloned().collect();
    let old = suite.items(&scene.base.texts, &paths);
    let new = suite.items(&scene.head.texts, &paths);
    let count =
        |items: &[TestItem], item: &TestItem| items.iter().filter(|i| i.id == item.id).count();
    let more = |item: &&TestItem| count(&new, item) > count(&old, item).max(1);
    let mut found: Vec<TestItem> = old.iter().filter(more).cloned().collect();
    found.dedup_by(|one, other| one.id == other.id);
    found
}

/// The names that stand in the changed lines of production code: what may be missing on the base.
pub(super) fn added_names(scene: &Scene) -> Vec<String> {
    let mut names = BTreeSet::new();
    for path in &scene.unreadable {
        let text = scene.head.bytes(path).map(String::from_utf8_lossy).unwrap_or_default();
        names.extend(words(&text).map(str::to_owned));
    }
    for (path, lines) in scene.all_lines() {
        let Some(text) = scene.head.text(path) else { continue };
        // What is written above an item may give it something: `#[derive(PartialEq)]`.
        let mut above = false;
        for (n, line) in text.lines().enumerate() {
            let number = u32::try_from(n + 1).unwrap_or(u32::MAX);
            let mark = line.trim_start().starts_with(['#', '@']);
            let changed = lines.contains(&number);
            if changed || above && !mark {
                names.extend(words(line).map(str::to_owned));
            }
            above = mark && (changed || above);
        }
    }
    let added = scene.head.listing.keys().filter(|path| {
        !scene.base.listing.contains_key(*path)
            && zone(path) == Zone::Production
            && is_executable_source(path)
    });
    names.extend(added.cloned());
    // A name that nobody writes: what is missing is held against head's own code in any case.
    names.insert("nothing that head adds".to_owned());
    names.into_iter().take(MOST_NAMES).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .filter(|word| word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit()))
}
