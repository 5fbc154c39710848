//! Spans of time as people write them: `40s`, `5m`, `2h`, `500ms`, `1h30m`. The one place that reads and shows
//! them; it knows nothing of clocks or dates.

/// The units, largest first, in milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Reads a span of time into milliseconds. Every number needs a unit, and units go from large to small.
pub fn parse_duration(text: &str) -> Result<u64, String> {
    let fault = |why: &str| {
        Err(format!("{text:?} is not a duration: {why}; write it like 40s, 5m, 2h or 1h30m"))
    };
    let mut rest = text.trim();
    if rest.is_empty() {
        return fault("it is empty");
    }
    let mut total: u64 = 0;
    let mut smaller_than = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, tail) = rest.split_at(digits);
        if number.is_empty() {
            return fault("a whole number must stand before each unit");
        }
        let letters = tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let (unit, tail) = tail.split_at(letters);
        let Some((_, size)) = UNITS.iter().find(|(name, _)| *name == unit) else {
            return match unit {
                "" => fault("it has no unit"),
                _ => fault("the units are h, m, s and ms"),
            };
        };
        if *size >= smaller_than {
            return fault("the units must go from large to small, each at most once");
        }
        let Some(sum) = number
            .parse::<u64>()
            .ok()
            .and_then(|n| n.checked_mul(*size))
            .and_then(|part| total.checked_add(part))
        else {
            return fault("it is too long");
        };
        total = sum;
        smaller_than = *size;
        rest = tail;
    }
    Ok(total)
}

/// Shows milliseconds exactly, so that `parse_duration` reads the same number back.
pub fn show_duration(ms: u64) -> String {
    if ms == 0 {
        return "0s".to_owned();
    }
    let mut rest = ms;
    let mut parts = Vec::new();
    for (name, size) in UNITS {
        if rest >= size {
            parts.push(format!("{}{name}", rest / size));
            rest %= size;
        }
    }
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_usual_spellings_are_read() {
        for (text, ms) in [
            ("40s", 40_000),
            ("5m", 300_000),
            ("2h", 7_200_000),
            ("500ms", 500),
            ("1h30m", 5_400_000),
            (" 0s ", 0),
            ("90m", 5_400_000),
        ] {
            assert_eq!(parse_duration(text), Ok(ms), "{text}");
        }
    }

    #[test]
    fn a_bad_duration_says_what_is_wrong_and_how_to_write_it() {
        for (text, why) in [
            ("", "empty"),
            ("40", "no unit"),
            ("s", "whole number"),
            ("1.5h", "no unit"),
            ("-5s", "whole number"),
            ("5d", "the units are"),
            ("5s5m", "from large to small"),
            ("5s5s", "each at most once"),
            ("5m 3s", "whole number"),
            ("99999999999999999999h", "too long"),
            ("18446744073709551615h", "too long"),
        ] {
            let fault = parse_duration(text).unwrap_err();
            assert!(fault.contains(why), "{text}: {fault}");
            assert!(fault.contains("40s, 5m, 2h"), "{fault}");
        }
    }

    #[test]
    fn a_span_is_shown_in_its_largest_units() {
        assert_eq!(show_duration(0), "0s");
        assert_eq!(show_duration(90_000), "1m30s");
        assert_eq!(show_duration(7_200_000), "2h");
        assert_eq!(show_duration(1_500), "1s500ms");
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back_the_same(ms: u64) {
            prop_assert_eq!(parse_duration(&show_duration(ms)), Ok(ms));
        }

        #[test]
        fn no_text_breaks_the_reader(text in ".{0,40}") {
            let _ = parse_duration(&text);
        }
    }
}
