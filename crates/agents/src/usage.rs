//! What a turn cost: as the agent reports it, else estimated and marked so.

use crate::stream::{Bill, Counted, Said, Tokens};
use proctor_core::agent::{Price, Tally};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub tokens: u64,
    /// Millionths of a US dollar.
    pub micro_usd: u64,
    pub source: UsageSource,
}

/// Where the number of tokens comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UsageSource {
    Reported,
    Estimated,
}

impl Usage {
    /// Reads `usage: {input_tokens, output_tokens, cost_usd}` of an agent's object. Tokens that are not reported
    /// are estimated from the bytes that went in and came out, at four bytes a token.
    pub(crate) fn of(object: Option<&Map<String, Value>>, bytes: usize) -> Self {
        let estimate = u64::try_from(bytes / 4).unwrap_or(u64::MAX);
        let usage = object.and_then(|object| object.get("usage")).and_then(Value::as_object);
        let number = |key: &str| usage.and_then(|usage| usage.get(key)).and_then(count);
        let (tokens, source) = match (number("input_tokens"), number("output_tokens")) {
            (None, None) => (estimate, UsageSource::Estimated),
            (input, output) => {
                (input.unwrap_or(0).saturating_add(output.unwrap_or(0)), UsageSource::Reported)
            }
        };
        let micro_usd = usage
            .and_then(|usage| usage.get("cost_usd"))
            .and_then(Value::as_f64)
            .map_or(0, |usd| whole(usd * 1e6));
        Self { tokens, micro_usd, source }
    }
}

impl Usage {
    /// What a coding agent's program says that the turn used. Money that it does not say is tokens times price, where
    /// a price is configured, and so an estimate.
    pub(crate) fn billed(bill: &Bill, price: Option<Price>, before: Tally, bytes: usize) -> Self {
        let tokens = bill.tokens.map(|tokens| since(tokens, bill.tokens_are, before));
        let (all, mut source) = match tokens {
            Some(tokens) => (tokens.all(), UsageSource::Reported),
            None => (u64::try_from(bytes / 4).unwrap_or(u64::MAX), UsageSource::Estimated),
        };
        let said = bill.usd.map(|usd| whole(usd * 1e6));
        let micro_usd = match (said, bill.usd_is, price) {
            (Some(usd), Counted::ThisTurn, _) => usd,
            (Some(usd), Counted::TheWholeSession, _) => usd.saturating_sub(before.micro_usd),
            (None, _, Some(price)) => {
                source = UsageSource::Estimated;
                cost(tokens.unwrap_or(Tokens { input: all, ..Tokens::default() }), price)
            }
            (None, _, None) => 0,
        };
        if bill.tokens_from == Said::Guessed || said.is_some() && bill.usd_from == Said::Guessed {
            source = UsageSource::Estimated;
        }
        Self { tokens: all, micro_usd, source }
    }
}

impl Bill {
    /// What the whole session has used, as far as the program counts so; else what it was.
    pub fn total(&self, before: Tally) -> Tally {
        let tokens = self.tokens.filter(|_| self.tokens_are == Counted::TheWholeSession);
        let usd = self.usd.filter(|_| self.usd_is == Counted::TheWholeSession);
        Tally {
            tokens: tokens.map_or(before.tokens, Tokens::all),
            micro_usd: usd.map_or(before.micro_usd, |usd| whole(usd * 1e6)),
        }
    }
}

/// The tokens of this turn. Of what the session had used before only the sum is known, so each kind of token is taken to
/// have the same share in the turn as in the whole.
fn since(tokens: Tokens, counted: Counted, before: Tally) -> Tokens {
    match counted {
        Counted::ThisTurn => tokens,
        Counted::TheWholeSession => {
            let share = |part: u64| {
                let left = tokens.all().saturating_sub(before.tokens);
                let whole = u128::from(tokens.all().max(1));
                u64::try_from(u128::from(part) * u128::from(left) / whole).unwrap_or(u64::MAX)
            };
            let (cached, output) = (share(tokens.cached), share(tokens.output));
            let left = tokens.all().saturating_sub(before.tokens);
            Tokens { input: left.saturating_sub(cached + output), cached, output }
        }
    }
}

/// In millionths of a US dollar.
fn cost(tokens: Tokens, price: Price) -> u64 {
    let part = |count: u64, price: u64| u128::from(count) * u128::from(price);
    let sum = part(tokens.input, price.input)
        + part(tokens.cached, price.cached.unwrap_or(price.input))
        + part(tokens.output, price.output);
    u64::try_from(sum / 1_000_000).unwrap_or(u64::MAX)
}

fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().filter(|n| *n >= 0.0).map(whole))
}

/// The nearest whole number; below zero it is 0, and too large is the largest.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates here, which is what is wanted"
)]
fn whole(number: f64) -> u64 {
    number.round() as u64
}
