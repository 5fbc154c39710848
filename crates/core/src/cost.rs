//! What a run's turns cost, by phase: a figure for people, made from the history. Budgets have their own count.

use crate::effect::Effect;
use crate::event::{Event, Usage};
use crate::words::Phase;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the turns of one phase used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseCost {
    pub calls: u32,
    #[serde(flatten)]
    pub usage: Usage,
}

/// Each phase in which an agent was asked. A turn that was cut off counts as asked, and cost what nobody told.
pub fn by_phase<'a>(history: impl IntoIterator<Item = &'a Event>) -> BTreeMap<Phase, PhaseCost> {
    let mut costs: BTreeMap<Phase, PhaseCost> = BTreeMap::new();
    let mut under_way = BTreeMap::new();
    for event in history {
        match event {
            Event::EffectBegan { no, effect: Effect::Ask { phase, .. } } => {
                under_way.insert(*no, *phase);
                costs.entry(*phase).or_default().calls += 1;
            }
            Event::EffectEnded { no, usage, .. } => {
                if let Some(phase) = under_way.remove(no) {
                    costs.entry(phase).or_default().usage.add(*usage);
                }
            }
            _ => {}
        }
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_added_up_by_phase_and_a_guess_stays_one() {
        let began = |no, phase| Event::EffectBegan {
            no,
            effect: Effect::Ask { phase, attempt: 1, ask: no },
        };
        let ended = |no, tokens, estimated| Event::EffectEnded {
            no,
            took_ms: 5,
            usage: Usage { tokens, micro_usd: tokens * 10, estimated },
        };
        let history = [
            Event::EffectBegan { no: 1, effect: Effect::Prepare },
            ended(1, 0, false),
            began(2, Phase::WriteTests),
            ended(2, 100, false),
            began(3, Phase::Implement),
            Event::EffectLost { no: 3 },
            began(4, Phase::Implement),
            ended(4, 200, true),
        ];
        let costs = by_phase(&history);
        let of = |calls, tokens: u64, estimated| PhaseCost {
            calls,
            usage: Usage { tokens, micro_usd: tokens * 10, estimated },
        };
        assert_eq!(costs.len(), 2);
        assert_eq!(costs[&Phase::WriteTests], of(1, 100, false));
        assert_eq!(costs[&Phase::Implement], of(2, 200, true));
    }
}
