//! A run as a track of nine steps: where it is, what sent it back, and how often. Folded from the history with the run.

use crate::run::story::tell;
use proctor_core::brief::RefactorPolicy;
use proctor_core::event::{Ending, Event};
use proctor_core::run::{GreenOf, Run, Stage};
use proctor_core::words::{Phase, Status, TaskType};
use serde::Serialize;

pub const NAMES: [&str; 9] =
    ["tests", "red", "code", "green", "tidy", "audit", "review", "approve", "land"];
const TIDY: usize = 4;

/// One step of the track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub name: &'static str,
    pub state: StepState,
    /// What sent the run back here, each time in words.
    pub refusals: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepState {
    /// Not yet.
    Todo,
    /// The run is here.
    Here,
    /// The run stands still here.
    Halted,
    Done,
    /// It was here and was sent back.
    Back,
    /// This run does without it.
    Skipped,
}

impl StepState {
    /// One letter, where there is no colour.
    pub fn letter(self) -> char {
        match self {
            Self::Todo => '·',
            Self::Here => '>',
            Self::Halted => '!',
            Self::Done => '+',
            Self::Back => '<',
            Self::Skipped => '-',
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Todo => "to do",
            Self::Here => "here now",
            Self::Halted => "stopped here",
            Self::Done => "done",
            Self::Back => "sent back",
            Self::Skipped => "left out",
        }
    }
}

/// The track without names: a letter a step.
pub fn in_letters(steps: &[Step]) -> String {
    steps.iter().map(|step| step.state.letter()).collect()
}

#[derive(Clone, Debug, Default)]
pub struct Track {
    place: usize,
    refusals: [Vec<String>; NAMES.len()],
}

impl Track {
    /// Takes in a fact; `state` already holds it.
    pub fn note(&mut self, event: &Event, state: &Run) {
        if let Some(place) = place(&state.stage) {
            self.place = place;
        }
        if let Some(step) = refused_at(event) {
            self.refusals[step].push(tell(event, state).join("\n"));
        }
    }

    pub fn steps(&self, run: &Run, status: Status) -> Vec<Step> {
        let landed = matches!(&run.stage, Stage::Closed { ending: Ending::Success, .. });
        let no_tidying = run.brief.rules.refactor == RefactorPolicy::Skipped
            || run.brief.kind == TaskType::Refactor;
        let step = |(at, name): (usize, &'static str)| {
            let refusals = self.refusals[at].clone();
            let state = if at == TIDY && no_tidying {
                StepState::Skipped
            } else if landed || at < self.place {
                StepState::Done
            } else if at == self.place {
                if status == Status::Running { StepState::Here } else { StepState::Halted }
            } else if refusals.is_empty() {
                StepState::Todo
            } else {
                StepState::Back
            };
            Step { name, state, refusals }
        };
        NAMES.into_iter().enumerate().map(step).collect()
    }
}

/// The step that a stage belongs to; none where the run has stopped and stays where it was.
pub(crate) fn place(stage: &Stage) -> Option<usize> {
    Some(match stage {
        Stage::Preparing | Stage::BringingTests | Stage::WritingTests { .. } => 0,
        Stage::ProvingRed { .. } | Stage::Examining { .. } => 1,
        Stage::Implementing { .. } | Stage::Diagnosing { .. } => 2,
        Stage::ProvingGreen { of: GreenOf::Refactoring { .. }, .. } | Stage::Refactoring { .. } => {
            TIDY
        }
        Stage::ProvingGreen { .. } | Stage::AddingTests { .. } => 3,
        Stage::Auditing { .. } | Stage::HearingAuditor { .. } => 5,
        Stage::Reviewing { .. } => 6,
        Stage::AwaitingApproval { .. } => 7,
        Stage::Landing { .. } | Stage::Rebasing { .. } => 8,
        Stage::Settling { .. } | Stage::Closed { .. } => return None,
        Stage::Paused { back, .. } => return place(back),
    })
}

/// The step at which this fact sent the run back, or made it ask again.
fn refused_at(event: &Event) -> Option<usize> {
    Some(match event {
        Event::RedRefused { .. } => 1,
        Event::Appealed { .. } => 2,
        Event::GreenRefused { .. } | Event::TestsTooThin { .. } | Event::AddedRefused { .. } => 3,
        Event::RefactoringUndone { .. } | Event::TidyingUndone { .. } => TIDY,
        Event::Audited { findings, .. } | Event::AuditorHeard { findings, .. }
            if !findings.is_empty() =>
        {
            5
        }
        Event::ReviewRejected { .. } => 6,
        Event::SentBack { .. } => 7,
        Event::BaseMoved { .. } => 8,
        Event::AskedAgain { phase, .. } => match phase {
            Phase::WriteTests => 0,
            Phase::Implement | Phase::Diagnose => 2,
            Phase::Refactor => TIDY,
            Phase::Audit => 5,
            Phase::Review => 6,
            Phase::Suggest | Phase::Scout | Phase::Classify => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::sample;

    fn letters(events: &[Event], status: Status) -> String {
        let mut track = Track::default();
        for n in 1..=events.len() {
            track.note(&events[n - 1], &sample::run(&events[..n]));
        }
        in_letters(&track.steps(&sample::run(events), status))
    }

    #[test]
    fn a_run_goes_along_its_track_and_what_sent_it_back_is_kept() {
        let history = sample::history();
        assert_eq!(letters(&history, Status::AwaitingApproval), "+++++++!·");
        let landed = [history, sample::landing()].concat();
        assert_eq!(letters(&landed, Status::Success), "+++++++++");
    }
}
