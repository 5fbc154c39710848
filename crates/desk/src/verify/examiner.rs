//! An examiner's tests over an answer: they can only leave a doubt, shown with its test.

use crate::config::settings;
use crate::intake::casting::Casting;
use crate::intake::throwaway::brief_of;
use crate::surroundings::Surroundings;
use crate::task::flags::RunFlags;
use crate::told::usage;
use anyhow::Result;
use proctor_core::concern::Concern;
use proctor_core::examined::Doubt;
use proctor_core::verdict::{Check, CheckName, Finding, Verdict, Verification, Weight, judge};
use proctor_engine::{Shop, examine};
use proctor_world::repo::UserRepo;

/// The answer with what an examiner's tests leave in doubt. Nothing gets better by them.
pub(super) fn examined(
    around: &Surroundings,
    shop: &Shop,
    repo: &UserRepo,
    (agent, task): (&str, &str),
    mut answer: Verification,
    tell: &mut dyn FnMut(&str),
) -> Result<Option<Verification>> {
    let config = settings::read(around, repo, &answer.base)?;
    let flags = RunFlags { agent: Some(agent.to_owned()), ..RunFlags::default() };
    let cast = Casting {
        around,
        config: &config,
        flags: &flags,
        root: &repo.root,
        built_in: None,
        tools: &[],
        session: None,
    }
    .cast()?;
    let Some(spec) = cast.into_values().next() else {
        return Err(usage(format!("there is no agent `{agent}`")));
    };
    if let Some(policy) = crate::policy::lines(around, std::iter::once(&spec)) {
        tell(&policy);
    }
    let text = crate::task::order::details(task, &around.cwd)?;
    let brief = brief_of(around, (repo, answer.base.clone()), &config, &text)?;
    let found = examine(shop, &brief, &answer.head, &spec, tell);
    let found = match found {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(None),
        Err(why) => {
            answer.left_out.push(format!("the examiner ({agent}) came to nothing: {why}"));
            return Ok(Some(answer));
        }
    };
    let told = format!("the examiner ({agent}): {} of its tests were asked of head", found.asked);
    answer
        .left_out
        .extend(found.unasked.iter().map(|text| format!("a test of the examiner: {text}")));
    let doubts: Vec<Finding> = found.doubts.iter().map(|doubt| doubtful(doubt, agent)).collect();
    if let Some(check) = answer.checks.iter_mut().find(|c| c.name == CheckName::RedReplay) {
        if doubts.is_empty() {
            check.details.push(Finding::new(Weight::Note, format!("{told}, and all pass")));
        } else {
            let summary = format!("{told}, and {} fail", doubts.len());
            let details = std::mem::take(&mut check.details).into_iter().chain(doubts).collect();
            *check = Check::of(CheckName::RedReplay, &summary, details);
        }
    }
    if answer.verdict == Verdict::Proven {
        (answer.verdict, answer.reason) = judge(&answer.checks);
    }
    Ok(Some(answer))
}

fn doubtful(doubt: &Doubt, agent: &str) -> Finding {
    let finding = Finding::for_person(Concern::SpecialCased, doubt.in_words(agent));
    finding.of(&doubt.test).with_diff(doubt.source.clone())
}
