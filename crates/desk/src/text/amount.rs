//! Amounts of a budget as people write them: `30m`, `5usd`, `$5`, `20calls`, `100000tokens`.

use proctor_core::cost::PhaseCost;
use proctor_core::duration::parse_duration;
use proctor_core::event::{Raise, Usage};
use proctor_core::words::Phase;
use std::collections::BTreeMap;

/// Millionths of a US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usd(pub u64);

/// More of one budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount(pub Raise);

impl Usd {
    /// Reads `5`, `0.50`, `$5` and `5usd`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fault = || format!("{text:?} is not an amount of money; write it like 5, 0.50 or $5");
        let bare = text.trim();
        let bare = bare.strip_prefix('$').unwrap_or(bare);
        let bare = bare.strip_suffix("usd").unwrap_or(bare).trim();
        let (whole, cents) = bare.split_once('.').unwrap_or((bare, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(cents) || cents.len() > 6 {
            return Err(fault());
        }
        let micro = format!("{cents:0<6}").parse::<u64>().map_err(|_| fault())?;
        whole
            .parse::<u64>()
            .ok()
            .and_then(|whole| whole.checked_mul(1_000_000))
            .and_then(|whole| whole.checked_add(micro))
            .map(Self)
            .ok_or_else(fault)
    }
}

/// Millionths of a dollar, for people.
pub fn show_usd(micro: u64) -> String {
    let cents = micro.saturating_add(5_000) / 10_000;
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// Bytes for people, in powers of 1024.
pub fn show_bytes(bytes: u64) -> String {
    const UNITS: [(&str, u32); 4] = [("TB", 40), ("GB", 30), ("MB", 20), ("kB", 10)];
    match UNITS.iter().find(|(_, shift)| bytes >> shift > 0) {
        Some((unit, shift)) => {
            let tenths = (bytes >> (shift - 10)).saturating_mul(10) >> 10;
            format!("{}.{} {unit}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} B"),
    }
}

/// Tokens and money, marked where they are a guess.
pub fn show_usage(usage: Usage) -> String {
    let about = if usage.estimated { "about " } else { "" };
    format!("{about}{} tokens, {about}{}", usage.tokens, show_usd(usage.micro_usd))
}

/// A line for each phase.
pub fn cost_lines(costs: &BTreeMap<Phase, PhaseCost>) -> Vec<String> {
    let line = |(phase, cost): (&Phase, &PhaseCost)| {
        let turns = if cost.calls == 1 { "call" } else { "calls" };
        format!("  {phase}: {} {turns}, {}", cost.calls, show_usage(cost.usage))
    };
    costs.iter().map(line).collect()
}

impl Amount {
    pub fn parse(text: &str) -> Result<Self, String> {
        let bare = text.trim();
        let fault = || {
            format!("{text:?} is not an amount; write it like 30m, 5usd, 20calls or 100000tokens")
        };
        let mut raise = Raise::default();
        if let Some(calls) = bare.strip_suffix("calls") {
            raise.calls = calls.trim().parse().map_err(|_| fault())?;
        } else if let Some(tokens) = bare.strip_suffix("tokens") {
            raise.tokens = tokens.trim().parse().map_err(|_| fault())?;
        } else if bare.starts_with('$') || bare.ends_with("usd") {
            raise.micro_usd = Usd::parse(bare)?.0;
        } else {
            raise.wall_ms = parse_duration(bare).map_err(|_| fault())?;
        }
        if raise == Raise::default() {
            return Err(format!("{text:?} adds nothing; give more than zero"));
        }
        Ok(Self(raise))
    }

    /// Several amounts together.
    pub fn sum(amounts: &[Self]) -> Raise {
        amounts.iter().fold(Raise::default(), |sum, Self(more)| Raise {
            calls: sum.calls.saturating_add(more.calls),
            wall_ms: sum.wall_ms.saturating_add(more.wall_ms),
            tokens: sum.tokens.saturating_add(more.tokens),
            micro_usd: sum.micro_usd.saturating_add(more.micro_usd),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_their_largest_unit() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1536, "1.5 kB"),
            (5 << 20, "5.0 MB"),
            ((3 << 40) + (512 << 30), "3.5 TB"),
        ] {
            assert_eq!(show_bytes(bytes), text);
        }
    }

    #[test]
    fn amounts_of_every_budget_are_read_and_added_up() {
        let texts = ["30m", "5usd", "$0.25", "20calls", "100000tokens", "1h30m", "0.5usd"];
        let amounts: Vec<Amount> = texts.iter().map(|text| Amount::parse(text).unwrap()).collect();
        assert_eq!(
            Amount::sum(&amounts),
            Raise { calls: 20, wall_ms: 120 * 60 * 1000, tokens: 100_000, micro_usd: 5_750_000 }
        );
    }

    #[test]
    fn what_is_no_amount_says_how_to_write_one() {
        for text in ["", "5", "five usd", "-3calls", "3.x usd", "0calls", "$"] {
            let fault = Amount::parse(text).unwrap_err();
            assert!(
                fault.contains("write it like") || fault.contains("adds nothing"),
                "{text}: {fault}"
            );
        }
        assert!(Usd::parse("1.0000001").is_err());
        assert!(Usd::parse("99999999999999999999").is_err());
    }
}
