//! Which projects of a repository a branch touches, and with what each is tested. What decides is the base; a project that
//! only head has is head's.

use super::scene::Scene;
use proctor_core::event::Project;
use proctor_lab::Surveyed;
use proctor_lab::{Bench, Suite};
use proctor_lab::{Halt, Lab};
use proctor_lang::MemoryTree;
use proctor_tools::{is_manifest, sources_of};
use proctor_world::shadow::Shadow;

/// What is tested.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) suite: Suite,
    /// Those of them that the base has too.
    pub(super) at_base: Suite,
    pub(super) left_out: Vec<String>,
}

pub(super) fn choose(lab: &Lab, shadow: &Shadow, scene: &Scene) -> Result<Chosen, Halt> {
    if !lab.settled.is_empty() {
        // The tools are the baseline's, whatever the change did to the files that name one.
        let suite = lab.suite(shadow, &MemoryTree::default())?;
        return Ok(Chosen { at_base: suite.clone(), suite, left_out: Vec::new() });
    }
    let at = |listing| Surveyed::new(shadow, listing);
    let (base, head) = (at(&scene.base.listing)?, at(&scene.head.listing)?);
    let (known, all) = match (lab.planned(&base), lab.planned(&head)) {
        (Ok(base), Ok(head)) => {
            let same = |p: &Project, q: &Project| p.dir == q.dir && p.runner == q.runner;
            let fresh: Vec<_> =
                head.into_iter().filter(|(p, _)| !base.iter().any(|(q, _)| same(p, q))).collect();
            (base.clone(), base.into_iter().chain(fresh).collect::<Vec<_>>())
        }
        (Ok(base), Err(_)) => (base.clone(), base),
        (Err(_), Ok(head)) => (Vec::new(), head),
        (Err(error), Err(_)) => return Err(error),
    };
    let mut suite = lab.suite_of_projects(shadow, &all)?;
    let all: Vec<Project> = all.into_iter().map(|(project, _)| project).collect();
    let touched: Vec<bool> = all.iter().map(|project| is_touched(project, &all, scene)).collect();
    let any = touched.iter().any(|t| *t);
    let mut left_out = Vec::new();
    let mut flags = touched.into_iter();
    suite.benches.retain(|bench| {
        let keep = flags.next().unwrap_or(true) || !any;
        if !keep {
            left_out.push(format!(
                "the project {} ({}): the branch does not touch it",
                name(bench),
                bench.project.runner
            ));
        }
        keep
    });
    let mut at_base = suite.clone();
    at_base.benches.retain(|bench| {
        known.iter().any(|(p, _)| p.dir == bench.project.dir && p.runner == bench.project.runner)
    });
    Ok(Chosen { suite, at_base, left_out })
}

fn name(bench: &Bench) -> &str {
    if bench.project.dir.is_empty() { "at the top" } else { &bench.project.dir }
}

/// Whether a changed file is this project's, or could be.
fn is_touched(project: &Project, all: &[Project], scene: &Scene) -> bool {
    let depth = |dir: &str, path: &str| -> Option<usize> {
        let inside = dir.is_empty() || path.strip_prefix(dir).is_some_and(|r| r.starts_with('/'));
        inside.then_some(dir.len())
    };
    let own = |path: &String| {
        let Some(here) = depth(&project.dir, path) else { return false };
        let deepest = all.iter().filter_map(|p| depth(&p.dir, path)).max();
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        deepest == Some(here) || sources_of(&project.runner).contains(&ending)
    };
    // What lies in no project may serve them all.
    let nobodys = |path: &String| !all.iter().any(|p| depth(&p.dir, path).is_some());
    let direct = scene.touched.iter().any(|path| own(path) || nobodys(path));
    direct || depends_on_touched(project, all, scene)
}

/// Whether a manifest of this project names the folder of one that is touched.
fn depends_on_touched(project: &Project, all: &[Project], scene: &Scene) -> bool {
    let inside = |dir: &str, path: &str| {
        !dir.is_empty() && path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
    };
    let others: Vec<&str> = all
        .iter()
        .filter(|p| p.dir != project.dir && scene.touched.iter().any(|path| inside(&p.dir, path)))
        .map(|p| p.dir.rsplit('/').next().unwrap_or(&p.dir))
        .collect();
    if others.is_empty() {
        return false;
    }
    let manifests = scene.head.texts.0.iter().filter(|(path, _)| {
        is_manifest(path) && (project.dir.is_empty() || inside(&project.dir, path))
    });
    let mut texts = manifests.map(|(_, bytes)| String::from_utf8_lossy(bytes));
    texts.any(|text| others.iter().any(|name| text.contains(*name)))
}
