//! A run as a Temporal workflow: the same fold as on one machine. It keeps the facts, decides what requests and outcomes mean,
//! and asks for what is owed. No clock, no folder, no environment.

use crate::effects::Effects;
use crate::queues::Queues;
use proctor_core::decide::decide;
use proctor_core::event::{Ending, Input, Request};
use proctor_core::evolve::{evolve, wakes_at};
use proctor_core::run::{Run, Stage, owed};
use proctor_core::words::{Millis, RunId};
use proctor_desk::afar::Step;
use proctor_engine::{Afar, Fact};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, UNIX_EPOCH};
use temporalio_common::RetryPolicy;
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{
    ActivityCancellationType, ActivityExecutionError, ActivityOptions, SyncWorkflowContext,
    WorkflowCancellationToken, WorkflowContext, WorkflowContextView, WorkflowResult,
};

/// The longest that one effect may take.
const LONGEST: Duration = Duration::from_hours(8);
/// How long a machine is waited for that did the step before.
const WAIT_FOR_HOST: Duration = Duration::from_secs(8);

/// What a course begins with: a history, of one fact or of many.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Begin {
    pub run: RunId,
    pub afar: Afar,
    pub facts: Vec<Fact>,
    /// What a machine must have to work on it.
    pub needs: Option<String>,
    /// How long a machine may be silent before another takes its step, in seconds.
    pub silence: u64,
}

/// A request, by a name that whoever asks gives it: to ask twice is to ask once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    pub name: String,
    pub request: Request,
}

/// What a machine has made of a step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Made {
    pub host: String,
    pub facts: Vec<Fact>,
}

/// What people are shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sight {
    pub afar: Option<Afar>,
    /// The facts after those that were asked for.
    pub facts: Vec<Fact>,
    /// Why requests were refused; nothing for those that were accepted.
    pub answers: BTreeMap<String, Option<String>>,
}

#[workflow]
#[derive(Default)]
pub struct Course {
    afar: Option<Afar>,
    facts: Vec<Fact>,
    asked: VecDeque<Asked>,
    answers: BTreeMap<String, Option<String>>,
}

#[workflow_methods]
impl Course {
    #[run]
    pub async fn run(ctx: &mut WorkflowContext<Self>, begin: Begin) -> WorkflowResult<String> {
        let Some(mut run) = Run::replay(begin.facts.iter().map(|fact| &fact.event)) else {
            return Ok("a history without a brief".to_owned());
        };
        let (afar, facts) = (begin.afar.clone(), begin.facts.clone());
        ctx.state_mut(|state| (state.afar, state.facts) = (Some(afar), facts));
        let mut host: Option<String> = None;
        let root = ctx.cancellation_token();
        let mut was_cancelled = false;
        loop {
            if root.is_cancelled() && !was_cancelled {
                was_cancelled = true;
                let input = Input::Request(Request::Abort, now(ctx));
                feed(ctx, &mut run, &input);
            }
            answer(ctx, &mut run);
            if wakes_at(&run).is_some_and(|at| at <= now(ctx)) {
                let tick = Input::Tick(now(ctx));
                feed(ctx, &mut run, &tick);
            }
            if owed(&run).is_some() {
                feed(ctx, &mut run, &Input::Begin);
            }
            if run.in_flight.is_some() {
                carried(ctx, (&begin, &mut run, &mut host), was_cancelled).await;
                continue;
            }
            if owed(&run).is_some() {
                continue;
            }
            if is_over(&run) || was_cancelled {
                return Ok(run.status().to_string());
            }
            let wakes = wakes_at(&run).map(|at| at.0.saturating_sub(now(ctx).0).max(1));
            let nap = Duration::from_millis(wakes.unwrap_or(u64::from(u32::MAX)));
            temporalio_sdk::workflows::select! {
                _ = ctx.wait_condition(|state: &Course| !state.asked.is_empty()) => {},
                _ = ctx.timer(nap) => {}
            };
        }
    }

    /// A person's request. Kept by the service until a machine is there to decide what it means.
    #[signal]
    pub fn ask(&mut self, _ctx: &mut SyncWorkflowContext<Self>, asked: Asked) {
        let known = self.answers.contains_key(&asked.name)
            || self.asked.iter().any(|other| other.name == asked.name);
        if !known {
            self.asked.push_back(asked);
        }
    }

    #[query]
    pub fn sight(&self, _ctx: &WorkflowContextView, after: u64) -> Sight {
        let after = usize::try_from(after).unwrap_or(usize::MAX);
        Sight {
            afar: self.afar.clone(),
            facts: self.facts.iter().skip(after).cloned().collect(),
            answers: self.answers.clone(),
        }
    }
}

/// The time as the history has it.
fn now(ctx: &WorkflowContext<Course>) -> Millis {
    let since = ctx.workflow_time().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    Millis(since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX)))
}

/// One input through the machine; what it means is recorded. Gives why it does not apply.
fn feed(ctx: &WorkflowContext<Course>, run: &mut Run, input: &Input) -> Option<String> {
    match decide(run, input) {
        Ok(events) => {
            let at = now(ctx);
            record(ctx, run, events.into_iter().map(|event| Fact { at, event }).collect());
            None
        }
        Err(refusal) => Some(refusal.to_string()),
    }
}

fn record(ctx: &WorkflowContext<Course>, run: &mut Run, facts: Vec<Fact>) {
    *run = facts.iter().map(|fact| &fact.event).fold(run.clone(), evolve);
    ctx.state_mut(|state| state.facts.extend(facts));
}

/// Answers every request that waits.
fn answer(ctx: &WorkflowContext<Course>, run: &mut Run) {
    while let Some(asked) = ctx.state_mut(|state| state.asked.pop_front()) {
        let input = Input::Request(asked.request, now(ctx));
        let refused = feed(ctx, run, &input);
        ctx.state_mut(|state| state.answers.insert(asked.name, refused));
    }
}

/// Nothing can be asked of it any more.
fn is_over(run: &Run) -> bool {
    match &run.stage {
        Stage::Closed { ending, .. } => {
            matches!(ending, Ending::Success | Ending::Aborted | Ending::Discarded)
        }
        _ => false,
    }
}

/// Lets a machine carry out what is under way, and goes on to answer requests meanwhile. Whoever carries out what nobody
/// wants any more is stopped, and has stopped before anything else begins.
async fn carried(
    ctx: &WorkflowContext<Course>,
    (begin, run, host): (&Begin, &mut Run, &mut Option<String>),
    was_cancelled: bool,
) {
    let Some(no) = run.in_flight.as_ref().map(|flight| flight.no) else { return };
    let facts = ctx.state(|state| state.facts.clone());
    let step = Step { run: begin.run.clone(), afar: begin.afar.clone(), facts };
    let queues = Queues::of(begin.needs.as_deref());
    let root = ctx.cancellation_token();
    let pinned = host.as_deref().map(|host| queues.of_host(host));
    for queue in pinned.into_iter().map(Some).chain([None]) {
        let token = WorkflowCancellationToken::new();
        let options = options(begin, &queues, queue.clone(), &token);
        let work = ctx.execute_activity(Effects::effect, step.clone(), options);
        futures::pin_mut!(work);
        let made = loop {
            if root.is_cancelled() {
                // What has begun to land is finished first.
                if !was_cancelled
                    && !matches!(run.stage, Stage::Landing { .. } | Stage::Settling { .. })
                {
                    token.cancel();
                }
                break work.as_mut().await;
            }
            temporalio_sdk::workflows::select! {
                made = &mut work => break made,
                _ = ctx.wait_condition(|state: &Course| !state.asked.is_empty()) => {
                    answer(ctx, run);
                    if run.in_flight.as_ref().map(|flight| flight.no) != Some(no) {
                        token.cancel();
                    }
                }
            };
        };
        let wanted = run.in_flight.as_ref().map(|flight| flight.no) == Some(no);
        match made {
            Ok(Made { host: by, facts }) => {
                *host = Some(by);
                if wanted {
                    record(ctx, run, facts);
                }
                return;
            }
            Err(_) if !wanted => return,
            // A machine that is gone, or does not answer: any other can go on from what is in git.
            Err(ActivityExecutionError::Failed(_)) if queue.is_some() => *host = None,
            Err(_) => {
                feed(ctx, run, &Input::Lost { no });
                return;
            }
        }
    }
}

fn options(
    begin: &Begin,
    queues: &Queues,
    host: Option<String>,
    token: &WorkflowCancellationToken,
) -> ActivityOptions {
    let base = ActivityOptions::with_start_to_close_timeout(LONGEST)
        .heartbeat_timeout(Duration::from_secs(begin.silence))
        .cancellation_type(ActivityCancellationType::WaitCancellationCompleted)
        .cancellation_token(token.clone());
    match host {
        Some(queue) => base
            .task_queue(queue)
            .schedule_to_start_timeout(WAIT_FOR_HOST)
            .retry_policy(RetryPolicy::builder().maximum_attempts(1).build())
            .build(),
        None => base
            .task_queue(queues.effects())
            .retry_policy(
                RetryPolicy::builder()
                    .initial_interval(Duration::from_secs(1))
                    .maximum_interval(Duration::from_mins(1))
                    .build(),
            )
            .build(),
    }
}
