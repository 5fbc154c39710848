//! A pack out of what a run left behind: put together, washed, nothing judged anew.

use super::pack::{
    Acceptance, Approval, Command, EffectRow, FileRow, GateRow, Green, INLINE, Output, Pack, Part,
    SCHEMA, Sealed, Settings, Task, Told,
};
use super::versions;
use super::wash::{Wash, unseen};
use crate::run::changes::Changes;
use crate::run::history::states;
use crate::run::story::tell;
use anyhow::{Context, Result};
use proctor_core::check::checks;
use proctor_core::cost::by_phase;
use proctor_core::event::{Ending, Event};
use proctor_core::proof::{Anchor, GreenMeasure, Point};
use proctor_core::run::{Run, Stage};
use proctor_core::verdict::{Check, CheckStatus, Verdict};
use proctor_core::words::{RunId, TreeId};
use proctor_engine::Shop;
use proctor_engine::dependencies::Dependencies;
use proctor_engine::evidence::{
    CommandRecord, EffectRecord, Evidence, Gate, GateKind, GateOutcome, Masks, Printed, gather,
    printed,
};
use proctor_journal::Journal;
use proctor_lang::{Zone, zone};
use proctor_world::shadow::Shadow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A pack, and the files that stand beside it in a tar.
pub struct Made {
    pub pack: Pack,
    pub files: BTreeMap<String, Vec<u8>>,
    /// The repository that holds the commits.
    pub repository: PathBuf,
}

pub fn make(shop: &Shop, journal: &Journal, id: &RunId) -> Result<Made> {
    let evidence = gather(&shop.home, journal, id)?;
    let run = &evidence.run;
    let brief = &run.brief;
    let masks = Masks::of(shop, &brief.repo, brief.agents.values()).with_values(
        shop,
        &brief.setup,
        brief.agents.values(),
    );
    let tools = versions::ask(shop, &masks, &evidence)?;
    let wash = Wash(masks);
    let green = run.stage.green();
    let base = green.map_or(&run.base, |green| green.base());
    let shadow = Shadow::open(shop.home.root(), Path::new(&brief.repo.git_dir), base)
        .context("the run's repository can't be opened")?;
    let base = Point { tree: shadow.tree_of(base)?, commit: base.clone() };
    let proven = green.map(|green| green.at().clone());
    let mut maker = Maker { shop, id, wash, files: BTreeMap::new() };
    let to = proven.as_ref().map(|point| &point.tree).or(run.tree.as_ref());
    let changes = maker.changes(run, &base, to)?;
    let dependencies = match to {
        Some(to) => Dependencies::gather(&shadow, (&base.tree, to), &shop.home.run(id))?,
        None => Dependencies::default(),
    };
    let last = last_green(&evidence)?;
    let gates = maker.gates(&evidence)?;
    let commands =
        evidence.effects.iter().flat_map(|effect| maker.commands(effect)).collect::<Vec<_>>();
    let pack = Pack {
        schema: SCHEMA,
        proctor: env!("CARGO_PKG_VERSION").to_owned(),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        run: id.clone(),
        task: Task {
            id: brief.task.clone(),
            kind: brief.kind,
            description: brief.description.clone(),
            details: brief.details.clone(),
        },
        status: run.status().name().to_owned(),
        reason: run.reason(),
        verdict: verdict(run),
        base,
        proven,
        landed: run.landed.clone(),
        approved: approved(&evidence),
        raised: run.raised.open(),
        accepted: accepted(&evidence),
        sealed: run.stage.anchor().map(sealed).unwrap_or_default(),
        green: green.map(|green| Green { passed: green.passed(), coverage: green.coverage() }),
        settings: Settings {
            targets: brief.targets.clone(),
            subdir: brief.repo.subdir.clone(),
            runner: brief.runner.clone(),
            projects: brief.projects.clone(),
            hang: brief.rules.hang,
        },
        tools,
        baseline: run.baseline.clone(),
        checks: last.as_ref().map(probed).unwrap_or_default(),
        observed: last.as_ref().map(GreenMeasure::observed).unwrap_or_default(),
        mutants: last.and_then(|green| green.probe).map(|p| p.mutants).unwrap_or_default(),
        gates,
        commands,
        files: changes.files,
        dependencies,
        tests_diff: changes.tests,
        code_diff: changes.code,
        spent: run.spent,
        spent_by_phase: by_phase(evidence.history.iter().map(|recorded| &recorded.body)),
        effects: evidence.effects.iter().map(effect_row).collect(),
        history: history(&evidence),
        missing: evidence.missing.clone(),
    };
    // Once over everything, whatever field it stands in.
    let washed = maker.wash.value(serde_json::to_value(&pack)?);
    let pack = serde_json::from_value(washed).context("the pack can't be read back")?;
    Ok(Made { pack, files: maker.files, repository: shadow.dir().to_owned() })
}

/// A run is proven when it stands on a green proof; it is refuted where the work never became green.
fn verdict(run: &Run) -> Verdict {
    match (&run.stage, run.stage.green()) {
        (_, Some(_)) if !run.raised.open().is_empty() => Verdict::Inconclusive,
        (_, Some(_)) => Verdict::Proven,
        (Stage::Closed { ending: Ending::Failed, .. }, None) => Verdict::Refuted,
        (_, None) => Verdict::Inconclusive,
    }
}

fn sealed(anchor: &Anchor) -> Sealed {
    Sealed {
        red: anchor.red().to_vec(),
        guards: anchor.guards().to_vec(),
        others: anchor.others().to_vec(),
        changed: anchor.changed().to_vec(),
        held_out: anchor.unseen().to_vec(),
    }
}

fn approved(evidence: &Evidence) -> Vec<Approval> {
    let events = evidence.history.iter().map(|recorded| &recorded.body);
    events
        .filter_map(|event| match event {
            Event::Approved { tree, by, when, .. } => {
                Some(Approval { by: *by, tree: tree.clone(), when: *when })
            }
            _ => None,
        })
        .collect()
}

fn accepted(evidence: &Evidence) -> Vec<Acceptance> {
    let events = evidence.history.iter().map(|recorded| &recorded.body);
    events
        .filter_map(|event| match event {
            Event::Accepted { raised, why, when } => {
                Some(Acceptance { raised: raised.clone(), why: why.clone(), when: *when })
            }
            _ => None,
        })
        .collect()
}

/// What the gate measured that the run stands on.
fn last_green(evidence: &Evidence) -> Result<Option<GreenMeasure>> {
    let proven = |gate: &&Gate| gate.kind == GateKind::Green && gate.outcome == GateOutcome::Proven;
    if evidence.run.stage.green().is_none() {
        return Ok(None);
    }
    let Some(gate) = evidence.gates.iter().rev().find(proven) else { return Ok(None) };
    serde_json::from_slice(&gate.bytes)
        .map(Some)
        .context("what the green gate measured can't be read")
}

fn probed(green: &GreenMeasure) -> Vec<Check> {
    let Some(probe) = &green.probe else { return Vec::new() };
    let made = |check: &Check| check.status != CheckStatus::Skip;
    checks(probe).into_iter().filter(made).collect()
}

fn effect_row(effect: &EffectRecord) -> EffectRow {
    EffectRow {
        no: effect.no,
        step: effect.label.to_owned(),
        began: effect.began,
        took_ms: effect.took_ms,
        tokens: effect.usage.tokens,
        micro_usd: effect.usage.micro_usd,
    }
}

fn history(evidence: &Evidence) -> Vec<Told> {
    let told = states(&evidence.history).into_iter().map(|(recorded, state)| Told {
        seq: recorded.seq,
        at: recorded.at,
        lines: tell(&recorded.body, &state),
    });
    told.filter(|told| !told.lines.is_empty()).collect()
}

/// What changed, tests apart from the rest.
struct Changed {
    files: Vec<FileRow>,
    tests: Output,
    code: Output,
}

struct Maker<'a> {
    shop: &'a Shop,
    id: &'a RunId,
    wash: Wash,
    files: BTreeMap<String, Vec<u8>>,
}

impl Maker<'_> {
    fn shown(&mut self, bytes: &[u8], file: &str) -> Output {
        let (text, washed) = self.wash.shown(bytes, file);
        self.files.insert(file.to_owned(), washed);
        text
    }

    fn changes(&mut self, run: &Run, base: &Point, to: Option<&TreeId>) -> Result<Changed> {
        let at = Run { base: base.commit.clone(), tree: to.cloned(), ..run.clone() };
        let changes = Changes::of(&self.shop.home, &at)?;
        let found = changes.as_ref().map(Changes::files).transpose()?.unwrap_or_default();
        let part = |path: &str| if zone(path) == Zone::Test { Part::Tests } else { Part::Code };
        let files: Vec<FileRow> = found
            .into_iter()
            .map(|file| FileRow {
                part: part(&file.path),
                path: file.path,
                added: file.added,
                deleted: file.deleted,
            })
            .collect();
        let diff = |part: Part| -> Result<Vec<u8>> {
            let own = files.iter().filter(|file| file.part == part);
            let paths: Vec<String> = own.map(|file| file.path.clone()).collect();
            match &changes {
                // No path at all would mean every path.
                Some(changes) if !paths.is_empty() => changes.diff(&paths),
                _ => Ok(Vec::new()),
            }
        };
        let (tests, code) = (diff(Part::Tests)?, diff(Part::Code)?);
        Ok(Changed {
            files,
            tests: self.shown(&tests, "tests.diff"),
            code: self.shown(&code, "code.diff"),
        })
    }

    fn gates(&mut self, evidence: &Evidence) -> Result<Vec<GateRow>> {
        let told = states(&evidence.history);
        let mut rows = Vec::new();
        for gate in &evidence.gates {
            let file = format!("{}/{:04}.json", gate.kind.name(), gate.effect);
            let measure = serde_json::from_slice(&gate.bytes)
                .context("what a gate measured is not JSON any more")?;
            let measure = self.wash.value(measure);
            let text = serde_json::to_vec_pretty(&measure)?;
            let said = told.iter().find(|(recorded, _)| recorded.seq == gate.seq);
            rows.push(GateRow {
                effect: gate.effect,
                gate: gate.kind,
                outcome: gate.outcome,
                said: said.map(|(r, state)| tell(&r.body, state)).unwrap_or_default(),
                evidence: gate.evidence.clone(),
                file: file.clone(),
                measure: (text.len() <= INLINE).then_some(measure),
            });
            self.files.insert(file, text);
        }
        Ok(rows)
    }

    fn commands(&mut self, effect: &EffectRecord) -> Vec<Command> {
        effect.commands.iter().map(|command| self.command(effect, command)).collect()
    }

    fn command(&mut self, effect: &EffectRecord, command: &CommandRecord) -> Command {
        let is_gate = is_gate_run(&command.name);
        let mut output = |ending: &str, was: &Printed| {
            let file = format!("{}.{ending}", command.name);
            let bytes = if is_gate && was.bytes > 0 {
                printed(&self.shop.home, self.id, effect.no, &file, was)
            } else {
                None
            };
            match bytes {
                Some(bytes) => self.shown(&bytes, &format!("outputs/{:04}-{file}", effect.no)),
                None => unseen(was.clone()),
            }
        };
        let (stdout, stderr) =
            (output("stdout", &command.stdout), output("stderr", &command.stderr));
        Command {
            effect: effect.no,
            step: effect.label.to_owned(),
            name: command.name.clone(),
            argv: command.argv.clone(),
            cwd: command.cwd.clone(),
            env: command.env.clone(),
            started: command.started,
            took_ms: command.took_ms,
            end: command.end.clone(),
            stdout,
            stderr,
        }
    }
}

/// Whether a child was a test run of a gate itself: an agent's talk stays here, and mutants are many.
fn is_gate_run(name: &str) -> bool {
    let rest = name.strip_prefix("run").unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a child was a test run of any kind.
pub fn is_test_run(name: &str) -> bool {
    is_gate_run(name) || name.starts_with("beside")
}
