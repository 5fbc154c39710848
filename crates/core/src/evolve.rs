//! Folds one fact into the state. Total: it never fails and never looks outside. A fact that does not fit the
//! stage changes nothing, so that old histories stay readable.

mod back;

use crate::agent::Told;
use crate::decide::wants_refactoring;
use crate::event::{Effect, Ending, Event, Patch, Pause, Raise, Turn};
use crate::fault::{advice_of_red, advice_of_thin};
use crate::proof::{Anchor, GreenProof, Point};
use crate::run::{
    Approval, CodeFeedback, GreenOf, InFlight, Landed, Run, Stage, Talk, TestFeedback,
};
use crate::turn::Claim;
use crate::words::{Phase, Role};
use back::{
    adding, back_to_implement, examining, implementing, kept, mending, objected, refused, rewind,
    unseal,
};

pub fn evolve(mut run: Run, event: &Event) -> Run {
    match event {
        Event::EffectBegan { no, effect } => {
            run.effects_begun = *no;
            run.in_flight = Some(InFlight { no: *no, effect: effect.clone() });
            if matches!(effect, Effect::Ask { .. } | Effect::Examine) {
                run.spent.calls += 1;
            }
        }
        Event::EffectEnded { took_ms, usage, .. } => {
            run.in_flight = None;
            run.spent.wall_ms += took_ms;
            run.spent.usage.add(*usage);
        }
        Event::EffectLost { .. } => run.in_flight = None,
        Event::SessionMarked { mark } => {
            let role = mark.phase.role();
            run.sessions.retain(|(other, _)| *other != role);
            run.sessions.push((role, mark.clone()));
        }
        Event::Accepted { raised, .. } => run.raised.accepted.extend(raised.iter().cloned()),
        Event::GreenProven { raised, .. } => run.raised.gate.clone_from(raised),
        Event::Audited { raised, .. } => run.raised.audit.clone_from(raised),
        // What was accepted was accepted of this work.
        Event::SentBack { .. } => {
            run.raised.accepted.clear();
            run.doubted = None;
            run.stood.clear();
        }
        Event::TestsTooThin { faults, evidence } => {
            run.open.clone_from(faults);
            run.open_evidence = Some(evidence.clone());
        }
        Event::RedProven { evidence, .. } => run.red_evidence = Some(evidence.clone()),
        Event::ReviewRejected { .. } => run.stood.clear(),
        Event::ObjectionStands { why } => run.stood.push(why.clone()),
        Event::Approved { by, when, rebase, .. } => {
            run.approved = Some(Approval { by: *by, when: *when, rebase: *rebase });
        }
        Event::Offered { .. } | Event::ReviewSought | Event::ReviewAwaited { .. } => {
            crate::offering::fold(&mut run, event);
        }
        Event::Stumbled { .. } => run.counters.stumbles += 1,
        Event::Interrupted => {
            run.in_flight = None;
            run.interrupted = true;
        }
        Event::LimitsRaised { raise } => raise_limits(&mut run, raise),
        Event::Saved { rescue, .. } => {
            run.rescue.clone_from(rescue);
            if let Stage::Settling { ending: Ending::Failed, back: Some(back), .. } = &run.stage
                && let Some(red) = back.anchor().map(|anchor| anchor.at().clone())
            {
                rewind(&mut run, &red);
            }
        }
        Event::Landed { commit, branch, note } => {
            run.landed =
                Some(Landed { commit: commit.clone(), branch: branch.clone(), note: note.clone() });
        }
        Event::Turned { turn } => {
            run = note_turn(run, turn);
        }
        _ => {}
    }
    if progress(event) {
        run.counters.stumbles = 0;
    }
    step(run, event)
}

/// Facts that show that the surroundings work.
fn progress(event: &Event) -> bool {
    matches!(
        event,
        Event::Prepared { .. }
            | Event::Turned { .. }
            | Event::RedProven { .. }
            | Event::GreenProven { .. }
            | Event::TestsAdded { .. }
            | Event::Landed { .. }
            | Event::Resumed
    )
}

fn note_turn(mut run: Run, turn: &Turn) -> Run {
    if let Some(count) = run.counters.turns.get_mut(turn.phase as usize) {
        *count = turn.attempt;
    }
    run.tree = Some(turn.at.tree.clone());
    // What an agent touches again was not approved.
    run.approved = None;
    run.patch = Patch::Unknown;
    if turn.phase == Phase::Implement {
        run.kept = None;
    }
    run.put_back.insert(turn.phase, turn.put_back.clone());
    turn.claim.notes().clone_into(&mut run.notes);
    let agent = run.brief.agents.get(&turn.phase.role()).map(|spec| spec.name.clone());
    run.told.push(Told {
        agent: agent.unwrap_or_default(),
        phase: turn.phase,
        attempt: turn.attempt,
        notes: turn.claim.notes().to_owned(),
    });
    if let Stage::AddingTests { code, .. } = &run.stage {
        let why = turn.claim.notes().trim();
        run.nothing_to_add = (turn.at.tree == code.tree && !why.is_empty()).then(|| why.to_owned());
    }
    if let Claim::TestsWritten { test_file_path: Some(path), .. } = &turn.claim {
        run.test_file_path = Some(path.clone());
    }
    run
}

fn raise_limits(run: &mut Run, raise: &Raise) {
    let Raise { calls, wall_ms, tokens, micro_usd } = *raise;
    run.limits.agent_calls += calls;
    let more = |limit: &mut Option<u64>, by: u64| {
        if by > 0 {
            *limit = limit.map(|l| l + by);
        }
    };
    more(&mut run.limits.wall_ms, wall_ms);
    more(&mut run.limits.tokens, tokens);
    more(&mut run.limits.micro_usd, micro_usd);
}

/// Moves the stage.
fn step(mut run: Run, event: &Event) -> Run {
    let stage = std::mem::replace(&mut run.stage, Stage::Preparing);
    run.stage = match (event, stage) {
        (Event::Prepared { tree, baseline, sandbox }, Stage::Preparing) => {
            run.sandbox.clone_from(sandbox);
            run.tree = Some(tree.clone());
            run.baseline = Some(baseline.clone());
            let base = Point { commit: run.base.clone(), tree: tree.clone() };
            match Anchor::open(&run.brief, base) {
                _ if !run.brief.brought_tests.is_empty() => Stage::BringingTests,
                Some(open) => implementing(&mut run, open, CodeFeedback::Fresh),
                None => Stage::WritingTests { talk: Talk::first(), feedback: TestFeedback::Fresh },
            }
        }
        (Event::TestsBrought { tests: at }, Stage::BringingTests) => {
            run.tree = Some(at.tree.clone());
            Stage::ProvingRed { tests: at.clone() }
        }
        (Event::Turned { turn }, stage) => after_turn(stage, turn),
        (Event::AskedAgain { phase, ask, why, tree, put_back }, stage) => {
            run.tree = Some(tree.clone());
            if *phase == Phase::Implement {
                run.kept = None;
            }
            let told = run.put_back.entry(*phase).or_default();
            told.extend(
                put_back.iter().filter(|path| !told.contains(path)).cloned().collect::<Vec<_>>(),
            );
            asked_again(stage, Talk { ask: *ask, complaint: Some(why.clone()) })
        }
        (Event::RedProven { anchor, .. }, Stage::ProvingRed { .. }) => {
            run.head = anchor.at().commit.clone();
            examining(&mut run, (**anchor).clone())
        }
        (Event::Examined { examination, .. }, Stage::Examining { anchor }) => {
            run.examination = examination.as_deref().cloned();
            implementing(&mut run, anchor, CodeFeedback::Fresh)
        }
        (Event::RedRefused { faults, evidence }, stage) => {
            run.counters.red_refusals += 1;
            unseal(&mut run, &stage);
            let reasons = advice_of_red(faults);
            let feedback = TestFeedback::Refused { reasons, evidence: evidence.clone() };
            Stage::WritingTests { talk: Talk::first(), feedback }
        }
        (Event::Appealed { why }, stage) => {
            run.counters.appeals += 1;
            run.kept = kept(&run, &stage);
            unseal(&mut run, &stage);
            Stage::WritingTests {
                talk: Talk::first(),
                feedback: TestFeedback::Appeal { why: why.clone() },
            }
        }
        (Event::GreenProven { proof, evidence, .. }, Stage::ProvingGreen { anchor, of, .. }) => {
            run.measured = Some(evidence.clone());
            run.head = proof.at().commit.clone();
            after_green(&run, anchor, proof.clone(), of.work())
        }
        (event @ Event::GreenRefused { .. }, stage) => refused(&mut run, event, stage),
        (
            Event::RefactoringUndone { .. },
            Stage::ProvingGreen { anchor, of: GreenOf::Refactoring { before }, .. },
        ) => {
            rewind(&mut run, before.at());
            Stage::Auditing { anchor, green: before }
        }
        (Event::Audited { findings, .. }, Stage::Auditing { anchor, green })
        | (Event::AuditorHeard { findings, .. }, Stage::HearingAuditor { anchor, green, .. }) => {
            let is_first = matches!(event, Event::Audited { .. });
            let next = is_first && run.brief.agents.contains_key(&Role::Auditor);
            audited(&mut run, (anchor, green), findings, next)
        }
        (event, Stage::ProvingGreen { anchor, code, of }) if is_about_tests(event) => {
            more_tests(&mut run, event, (anchor, code, of))
        }
        (event, stage) => late_step(&mut run, event, stage),
    };
    run
}

/// After an audit: back with its findings, on to the auditor where there is one still to be heard, or on to the review.
fn audited(
    run: &mut Run,
    (anchor, green): (Anchor, GreenProof),
    findings: &[String],
    auditor_next: bool,
) -> Stage {
    let talk = Talk::first();
    if !findings.is_empty() {
        run.counters.fixes += 1;
        run.stood.clear();
        let feedback = CodeFeedback::Audit { findings: findings.to_vec() };
        back_to_implement(run, Stage::Auditing { anchor, green }, feedback)
    } else if auditor_next {
        Stage::HearingAuditor { anchor, green, talk }
    } else {
        Stage::Reviewing { anchor, green, talk }
    }
}

fn is_about_tests(event: &Event) -> bool {
    matches!(
        event,
        Event::TestsAdded { .. }
            | Event::TestsTidied { .. }
            | Event::TidyingUndone { .. }
            | Event::TestsTooThin { .. }
            | Event::AddedRefused { .. }
    )
}

/// The work is green, and its tests are added to or changed.
fn more_tests(run: &mut Run, event: &Event, (anchor, code, of): (Anchor, Point, GreenOf)) -> Stage {
    match event {
        Event::TestsAdded { anchor } | Event::TestsTidied { anchor } => {
            Stage::ProvingGreen { anchor: (**anchor).clone(), code, of }
        }
        Event::TidyingUndone { why, to } => {
            run.tree = Some(to.tree.clone());
            let told = run.put_back.entry(Phase::Refactor).or_default();
            told.extend(why.iter().map(|why| format!("the tidied tests: {why}")));
            Stage::ProvingGreen { anchor, code: to.clone(), of }
        }
        Event::TestsTooThin { faults, .. } => {
            adding(run, anchor, code, of.work().clone(), advice_of_thin(faults))
        }
        Event::AddedRefused { faults, .. } => {
            // What was added is not sealed: the next turn begins where it stands, and is held against the work before.
            let to = match &of {
                GreenOf::Added { to, .. } => to.clone(),
                GreenOf::Implementation | GreenOf::Refactoring { .. } | GreenOf::Rebase => {
                    code.clone()
                }
            };
            // What was open still is.
            let reasons = [advice_of_red(faults), advice_of_thin(&run.open)].concat();
            let stage = adding(run, anchor, to, of.work().clone(), reasons);
            run.tree = Some(code.tree);
            stage
        }
        _ => Stage::ProvingGreen { anchor, code, of },
    }
}

/// The stages after the proof, and the ways out.
fn late_step(run: &mut Run, event: &Event, stage: Stage) -> Stage {
    match (event, stage) {
        (Event::DiagnosisSkipped { .. }, stage @ Stage::Diagnosing { .. }) => {
            if let Some(count) = run.counters.turns.get_mut(Phase::Diagnose as usize) {
                *count += 1;
            }
            mending(stage, None)
        }
        (Event::ObjectionStands { .. }, stage @ Stage::Implementing { .. }) => objected(run, stage),
        (Event::ReviewRejected { why }, stage) => {
            run.counters.reviews += 1;
            run.rejections.push(why.clone());
            back_to_implement(run, stage, CodeFeedback::Review)
        }
        (Event::ApprovalAsked { .. }, Stage::Reviewing { anchor, green, .. }) => {
            run.counters.reviews += 1;
            Stage::AwaitingApproval { anchor, green }
        }
        (Event::Approved { by, when: at, .. }, Stage::AwaitingApproval { anchor, green }) => {
            Stage::Landing { anchor, green, by: *by, at: *at }
        }
        (Event::SentBack { why }, stage) => {
            run.counters.fixes = 0;
            run.counters.reviews = 0;
            let stage = match stage {
                Stage::Closed { back: Some(back), .. } => *back,
                other => other,
            };
            back_to_implement(run, stage, CodeFeedback::SentBack { why: why.clone() })
        }
        (
            Event::BaseMoved { to },
            Stage::Landing { anchor, green, .. } | Stage::AwaitingApproval { anchor, green },
        ) => Stage::Rebasing { anchor, green, onto: to.clone() },
        (Event::Rebased { base, tests, code, baseline, patch }, Stage::Rebasing { anchor, .. }) => {
            run.patch = patch.clone();
            run.base = base.clone();
            run.baseline = Some(baseline.clone());
            rewind(run, code);
            let anchor = anchor.moved(tests.clone());
            Stage::ProvingGreen { anchor, code: code.clone(), of: GreenOf::Rebase }
        }
        (Event::Paused { why }, stage) => Stage::Paused { why: why.clone(), back: Box::new(stage) },
        (Event::Resumed, Stage::Paused { back, .. } | Stage::Closed { back: Some(back), .. }) => {
            run.interrupted = false;
            refreshed(run, *back)
        }
        (Event::Resumed, stage) => {
            run.interrupted = false;
            stage
        }
        (Event::Closing { ending, reason }, stage) => {
            run.in_flight = None;
            run.interrupted = false;
            let back = Some(Box::new(unwrap_back(stage)));
            Stage::Settling { ending: *ending, reason: reason.clone(), back }
        }
        (Event::Closed { ending, reason }, Stage::Settling { ending: settled, back, .. })
            if *ending == settled =>
        {
            Stage::Closed { ending: *ending, reason: reason.clone(), back }
        }
        // Trouble while cleaning up: going on means cleaning up, not doing again what led there.
        (Event::Closed { ending, reason }, stage @ Stage::Settling { .. }) => {
            run.in_flight = None;
            let back = Some(Box::new(stage));
            Stage::Closed { ending: *ending, reason: reason.clone(), back }
        }
        (Event::Closed { ending, reason }, stage) => {
            run.in_flight = None;
            let back = Some(Box::new(unwrap_back(stage)));
            Stage::Closed { ending: *ending, reason: reason.clone(), back }
        }
        (_, stage) => stage,
    }
}

/// A pause or an end on top of another does not stack.
fn unwrap_back(stage: Stage) -> Stage {
    match stage {
        Stage::Paused { back, .. } | Stage::Closed { back: Some(back), .. } => unwrap_back(*back),
        other => other,
    }
}

/// A person let the run go on: the turn is asked afresh, and a gate's allowance that was used up begins anew.
fn refreshed(run: &mut Run, stage: Stage) -> Stage {
    match stage {
        Stage::WritingTests { feedback, .. } => {
            if run.counters.red_refusals > run.limits.red {
                run.counters.red_refusals = 0;
            }
            Stage::WritingTests { talk: Talk::first(), feedback }
        }
        Stage::Implementing { anchor, feedback, from, proven, .. } => {
            Stage::Implementing { anchor, talk: Talk::first(), feedback, from, proven }
        }
        Stage::AddingTests { anchor, code, of, reasons, .. } => {
            Stage::AddingTests { anchor, code, of, talk: Talk::first(), reasons }
        }
        Stage::Refactoring { anchor, green, .. } => {
            Stage::Refactoring { anchor, green, talk: Talk::first() }
        }
        Stage::HearingAuditor { anchor, green, .. } => {
            Stage::HearingAuditor { anchor, green, talk: Talk::first() }
        }
        Stage::Reviewing { anchor, green, .. } => {
            Stage::Reviewing { anchor, green, talk: Talk::first() }
        }
        other => other,
    }
}

fn after_turn(stage: Stage, turn: &Turn) -> Stage {
    match (stage, turn.phase) {
        (Stage::WritingTests { .. }, Phase::WriteTests) => {
            Stage::ProvingRed { tests: turn.at.clone() }
        }
        // Left as it is: what was proven of it still is.
        (stage @ Stage::Implementing { .. }, Phase::Implement)
            if stage.green().is_some_and(|green| green.at().tree == turn.at.tree) =>
        {
            stage
        }
        (Stage::Implementing { anchor, .. }, Phase::Implement) => {
            Stage::ProvingGreen { anchor, code: turn.at.clone(), of: GreenOf::Implementation }
        }
        (stage @ Stage::Diagnosing { .. }, Phase::Diagnose) => {
            mending(stage, turn.claim.diagnosis())
        }
        (Stage::AddingTests { anchor, code, of, .. }, Phase::WriteTests) => {
            let of = GreenOf::Added { then: Box::new(of), to: code };
            Stage::ProvingGreen { anchor, code: turn.at.clone(), of }
        }
        (Stage::Refactoring { anchor, green, .. }, Phase::Refactor) => {
            if turn.at.tree == green.at().tree {
                Stage::Auditing { anchor, green }
            } else {
                let of = GreenOf::Refactoring { before: green };
                Stage::ProvingGreen { anchor, code: turn.at.clone(), of }
            }
        }
        (stage, _) => stage,
    }
}

fn asked_again(stage: Stage, talk: Talk) -> Stage {
    match stage {
        Stage::WritingTests { feedback, .. } => Stage::WritingTests { talk, feedback },
        Stage::AddingTests { anchor, code, of, reasons, .. } => {
            Stage::AddingTests { anchor, code, of, talk, reasons }
        }
        Stage::Implementing { anchor, feedback, from, proven, .. } => {
            Stage::Implementing { anchor, talk, feedback, from, proven }
        }
        Stage::Refactoring { anchor, green, .. } => Stage::Refactoring { anchor, green, talk },
        Stage::HearingAuditor { anchor, green, .. } => {
            Stage::HearingAuditor { anchor, green, talk }
        }
        Stage::Reviewing { anchor, green, .. } => Stage::Reviewing { anchor, green, talk },
        other => other,
    }
}

fn after_green(run: &Run, anchor: Anchor, green: GreenProof, of: &GreenOf) -> Stage {
    match of {
        GreenOf::Implementation if wants_refactoring(run) => {
            Stage::Refactoring { anchor, green, talk: Talk::first() }
        }
        GreenOf::Implementation | GreenOf::Refactoring { .. } => Stage::Auditing { anchor, green },
        GreenOf::Rebase => Stage::AwaitingApproval { anchor, green },
        GreenOf::Added { then, .. } => after_green(run, anchor, green, then),
    }
}

/// The time at which a pause ends by itself.
pub fn wakes_at(run: &Run) -> Option<crate::words::Millis> {
    match &run.stage {
        Stage::Paused { why: Pause::UsageLimit { until, .. }, .. } if !run.interrupted => {
            Some(*until)
        }
        _ => None,
    }
}
