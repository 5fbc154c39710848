//! What a turn may use: the model's memory and the money that is left. Says when a conversation has to get shorter, and
//! what a turn has cost.

use super::{Rounds, State};
use crate::api::compact;
use crate::api::dialect::Used;
use crate::api::tale::{Ending, Tale};
use crate::api::talk::Item;
use crate::stream::Failure;

/// What tools and instructions take, about.
const FIXED_TOKENS: u64 = 1500;
/// What older results are shortened to.
const SHORT: usize = 1500;

impl Rounds {
    fn tokens(&self) -> u64 {
        let from = |from: usize| self.talk.items[from..].iter().map(Item::tokens).sum::<u64>();
        let known = self.size.map_or(0, |(tokens, items)| tokens + from(items));
        // A server that silently leaves out what it can't remember does not count that either.
        known.max(FIXED_TOKENS + from(0))
    }

    /// Makes the conversation shorter before it gets too long.
    pub(super) fn make_room(&mut self) {
        let context = self.rules.context;
        if self.tokens() < context / 5 * 4 || self.roomy == self.talk.items.len() {
            return;
        }
        self.roomy = self.talk.items.len();
        let cut = compact::cut(&self.talk, context / 10 * 3);
        compact::shorten(&mut self.talk, cut, SHORT);
        self.size = None;
        if self.tokens() < context / 2 {
            self.tales.push(Tale::Shortened { how: "older results were shortened".to_owned() });
        } else if cut > 1 {
            self.summing = Some(cut);
        } else {
            let most = usize::try_from(context / 2).unwrap_or(usize::MAX);
            compact::shorten(&mut self.talk, usize::MAX, most);
            self.tales.push(Tale::Shortened { how: "long results were shortened".to_owned() });
        }
    }

    pub(super) fn sum_up(&mut self, cut: usize, summary: &str) {
        let summary = if summary.trim().is_empty() { "(nothing is known of it)" } else { summary };
        compact::replace(&mut self.talk, cut, summary);
        self.size = None;
        self.roomy = self.talk.items.len();
        self.tales.push(Tale::Shortened { how: "the older part was summed up".to_owned() });
        self.mind_the_money();
    }

    /// The provider says that the conversation is too long already.
    pub(super) fn squeeze(&mut self, said: &str) {
        let cut = self.summing.take().unwrap_or_else(|| compact::cut(&self.talk, 0));
        let before = self.talk.items.iter().map(Item::tokens).sum::<u64>();
        compact::shorten(&mut self.talk, usize::MAX, SHORT);
        if cut > 1 {
            compact::replace(&mut self.talk, cut, "(It got too long and was left out.)");
        }
        self.size = None;
        if self.talk.items.iter().map(Item::tokens).sum::<u64>() < before {
            self.tales.push(Tale::Shortened { how: "what was too long was left out".to_owned() });
        } else {
            let said = format!(
                "{said}\nhint: the task alone is too long for this model; give it less context, or another model"
            );
            self.over(Ending::Failed(Failure::Other { said }));
        }
    }

    pub(super) fn count(&mut self, used: Option<Used>) {
        let Some(used) = used else { return };
        let all = self.used.unwrap_or_default().plus(used);
        self.used = Some(all);
        #[expect(clippy::cast_precision_loss, reason = "no turn costs so much")]
        let dollars = self.cost().map(|micro| micro as f64 / 1e6);
        self.tales.push(Tale::usage(all, dollars));
    }

    /// In millionths of a US dollar. What the provider keeps for later costs a quarter more than other input.
    fn cost(&self) -> Option<u64> {
        let (price, used) = (self.rules.price?, self.used?);
        let part = |count: u64, price: u64| u128::from(count) * u128::from(price);
        let sum = part(used.input, price.input)
            + part(used.kept, price.input) / 4
            + part(used.cached, price.cached.unwrap_or(price.input))
            + part(used.output, price.output);
        Some(u64::try_from(sum / 1_000_000).unwrap_or(u64::MAX))
    }

    pub(super) fn mind_the_money(&mut self) {
        if matches!(self.state, State::Over(_)) {
            return;
        }
        if let (Some(cost), Some(most)) = (self.cost(), self.rules.money)
            && cost >= most
        {
            let said = "the money that was left for this turn is used up".to_owned();
            self.over(Ending::Failed(Failure::Other { said }));
        }
    }
}
