//! Other values: beside a number and far from it, words that nobody uses, strings of the same shape. Knows no language.

use super::literals::Value;
use proctor_core::observation::Sort;

/// Numbers in the place of one, near and far in turn: with as many digits, with more and with fewer, and one that ends as
/// it does, since a rule may ask for that.
pub(super) fn numbers(n: i128) -> Vec<(Sort, i128)> {
    let far = |k: i128| n.saturating_mul(k);
    let all = [
        (Sort::Near, n + 1),
        (Sort::Far, far(13).saturating_add(7)),
        if n.abs() < 20 { (Sort::Near, n - 1) } else { (Sort::Far, n / 10) },
        (Sort::Far, n.saturating_add(noughts(n))),
        (Sort::Near, n - 1),
        (Sort::Far, far(2)),
        (Sort::Far, n / 2),
        (Sort::Far, n / 10 + 3),
        (Sort::Near, n + 2),
        (Sort::Far, far(10)),
        (Sort::Near, n + 3),
        (Sort::Far, far(7).saturating_add(5)),
    ];
    // A count stays one, and what fits into its type still does.
    let same_type = |m: &i128| {
        let ends = [32_767_i128, 65_535, 2_147_483_647, 4_294_967_295];
        ends.iter().all(|end| n > *end || *m <= *end)
    };
    let mut kept: Vec<(Sort, i128)> = Vec::new();
    for (sort, m) in all.into_iter().filter(|(_, m)| *m != n && (n < 0 || *m >= 0) && same_type(m))
    {
        if kept.iter().all(|(_, known)| *known != m) {
            kept.push((sort, m));
        }
    }
    kept
}

/// One in the place of a number's last digit that is no nought: 100 of 1200.
fn noughts(n: i128) -> i128 {
    let mut unit = 1;
    while n != 0 && n % (unit * 10) == 0 {
        unit *= 10;
    }
    unit
}

/// Twice a whole number, where that fits into the same type.
pub(super) fn doubled(n: i128) -> Option<i128> {
    numbers(n).into_iter().map(|(_, m)| m).find(|m| *m == n.saturating_mul(2))
}

/// A whole number one step up or down.
pub(super) fn stepped(n: i128, way: usize) -> i128 {
    if way == 0 { n - 1 } else { n + 1 }
}

/// A float one step of its last digit up or down.
pub(super) fn stepped_float(was: &str, way: usize) -> Option<String> {
    let x: f64 = was.parse().ok()?;
    let places = was.split_once('.').map_or(0, |(_, after)| after.len());
    let plain = was.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let step = 10_f64.powi(-i32::try_from(places).ok()?);
    let next = if way == 0 { x - step } else { x + step };
    (plain && next.is_finite()).then(|| format!("{next:.places$}"))
}

/// The same string with longer words in it.
pub(super) fn longer(text: &str) -> String {
    let word = |(run, kind): (&str, Run)| match kind {
        Run::Letters => names(run).into_iter().next().unwrap_or_default(),
        _ => run.to_owned(),
    };
    runs(text).map(word).collect()
}

/// Another name with the same look.
pub(super) fn name(was: &str) -> String {
    format!("{}Zq", turned(was, 0))
}

/// Floats in the place of one, as a source has them.
pub(super) fn floats(was: &str) -> Vec<(Sort, String)> {
    let Ok(x) = was.parse::<f64>() else { return Vec::new() };
    // What is whole stays whole: a fraction may be rounded away, and then nothing is another.
    if let Some(whole) = was.strip_suffix(".0").and_then(|whole| whole.parse::<i128>().ok()) {
        let all = numbers(whole).into_iter();
        return all.map(|(sort, n)| (sort, format!("{n}.0"))).collect();
    }
    [(Sort::Near, x + 0.5), (Sort::Far, x * 3.0 + 17.25), (Sort::Far, x / 2.0)]
        .into_iter()
        .filter(|(_, y)| y.is_finite() && y.to_bits() != x.to_bits())
        .map(|(sort, y)| (sort, format!("{y:?}")))
        .collect()
}

/// The runs of letters and of digits in a string.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    runs(text).filter(|(_, kind)| *kind != Run::Other).map(|(run, _)| run)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Letters,
    Digits,
    Other,
}

/// A string in runs of one kind. What stands behind a backslash belongs to no word.
fn runs(text: &str) -> impl Iterator<Item = (&str, Run)> {
    let (mut rest, mut inside) = (text, 0);
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (len, kind) = if first == '\\' {
            (escape(rest), Run::Other)
        } else if inside > 0 {
            // How wide a value is shown is a number like others.
            let digits = rest
                .get(..inside)
                .map_or(0, |spec| spec.find(|c: char| !c.is_ascii_digit()).unwrap_or(spec.len()));
            let plain = || rest.get(..inside)?.find(|c: char| c.is_ascii_digit());
            let kind = if digits > 0 { Run::Digits } else { Run::Other };
            let len = if digits > 0 { digits } else { plain().unwrap_or(inside) };
            inside -= len;
            (len, kind)
        } else if let Some(len) = hole(rest) {
            let wide = rest.get(..len).and_then(|hole| hole.find(':')).map_or(len, |at| at + 1);
            inside = if rest.starts_with('{') { len - wide } else { 0 };
            (len - inside, Run::Other)
        } else {
            let kind = run_of(first);
            let end = rest
                .char_indices()
                .skip(1)
                .find(|(_, c)| matches!(c, '\\' | '{' | '%') || run_of(*c) != kind)
                .map_or(rest.len(), |(n, _)| n);
            (end, kind)
        };
        let (run, after) = rest.split_at(len);
        rest = after;
        Some((run, kind))
    })
}

fn run_of(c: char) -> Run {
    match c {
        c if c.is_ascii_digit() => Run::Digits,
        c if c.is_alphabetic() => Run::Letters,
        _ => Run::Other,
    }
}

/// How long the place of a value is that stands at the beginning of a text: `{:04X}`, `%5.2f`.
fn hole(text: &str) -> Option<usize> {
    if let Some(rest) = text.strip_prefix('{') {
        let end = rest.find('}').filter(|end| *end <= 12)?;
        let spec = rest.get(..end)?;
        let fits = |c: char| c.is_alphanumeric() || "_:.<>^+-#?*$".contains(c);
        return spec.chars().all(fits).then_some(end + 2);
    }
    let rest = text.strip_prefix('%')?;
    let flags = rest.find(|c: char| !(c.is_ascii_digit() || "-+# .".contains(c)))?;
    let verb = rest.get(flags..)?.chars().next().filter(char::is_ascii_alphabetic)?;
    Some(1 + flags + verb.len_utf8())
}

/// How many characters a string has as the code sees it: an escape is one.
pub fn length(text: &str) -> usize {
    let count = |(run, _): (&str, Run)| if run.starts_with('\\') { 1 } else { run.chars().count() };
    runs(text).map(count).sum()
}

/// How long an escape at the beginning of a text is.
fn escape(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    let Some((_, kind)) = chars.next() else { return text.len() };
    let more = match kind {
        'x' => 2,
        'u' if text.get(2..3) == Some("{") => return text.find('}').map_or(text.len(), |n| n + 1),
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    let hex = chars.take(more).take_while(|(_, c)| c.is_ascii_hexdigit()).count();
    1 + kind.len_utf8() + hex
}

/// A string with a word of it replaced wherever it stands as a whole; none where it does not.
pub(super) fn replaced(text: &str, was: &str, now: &str) -> Option<String> {
    let mut found = false;
    let new = runs(text)
        .map(|(run, _)| {
            found |= run == was;
            if run == was { now } else { run }
        })
        .collect();
    found.then_some(new)
}

/// Words in the place of one: longer, as long, shorter. The longer one ends as it did, since a rule may ask for that.
pub(super) fn names(was: &str) -> Vec<String> {
    let as_long = turned(was, 0);
    let count = was.chars().count();
    let kept = if count > 4 { 2 } else { usize::from(count > 2) };
    let at = was.char_indices().nth(count - kept).map_or(was.len(), |(at, _)| at);
    let (begin, end) = was.split_at(at);
    let more = if is_upper(was) { "QU" } else { "qu" };
    let other = turned(begin, 1);
    let (first, rest) = other.split_at(other.chars().next().map_or(0, char::len_utf8));
    let mut found = vec![format!("{first}{more}{rest}{end}"), as_long];
    if count > 1 {
        found.push(turned(was, 2).chars().take(if count > 2 { 2 } else { 1 }).collect());
    }
    found.retain(|name| name != was);
    found.dedup();
    found
}

fn is_upper(word: &str) -> bool {
    word.chars().all(char::is_uppercase)
}

/// The same string with other letters and digits, way by way.
pub(super) fn shape(text: &str, way: usize) -> String {
    runs(text)
        .map(|(run, kind)| if kind == Run::Other { run.to_owned() } else { turned(run, way) })
        .collect()
}

/// The same string with other digits, then with other letters; with others of what it has where it has one kind alone.
pub(super) fn part(text: &str, way: usize) -> String {
    let wanted = if way == 0 { Run::Digits } else { Run::Letters };
    let wanted = runs(text).any(|(_, kind)| kind == wanted).then_some(wanted);
    let fits = |kind: Run| kind != Run::Other && wanted.is_none_or(|wanted| kind == wanted);
    runs(text).map(|(run, kind)| if fits(kind) { turned(run, way) } else { run.into() }).collect()
}

/// Letters and digits some places further: vowels stay vowels, so that words remain words.
fn turned(word: &str, way: usize) -> String {
    let turn = |c: char, of: &str| {
        let len = of.chars().count();
        let at = of.chars().position(|o| o == c)?;
        of.chars().nth((at + 1 + way) % len)
    };
    let first_digit = word.len() > 1 && word.starts_with(|c: char| c.is_ascii_digit());
    word.chars()
        .enumerate()
        .map(|(n, c)| match c {
            '0'..='9' => {
                let digits = if first_digit && n == 0 { "123456789" } else { "0123456789" };
                turn(c, digits).unwrap_or(c)
            }
            c if c.is_ascii() => {
                let lower = c.to_ascii_lowercase();
                let other = turn(lower, "aeiou")
                    .or_else(|| turn(lower, "bcdfghjklmnpqrstvwxyz"))
                    .unwrap_or(lower);
                if c.is_ascii_uppercase() { other.to_ascii_uppercase() } else { other }
            }
            // Letters of other scripts stay: their neighbours may be none.
            c => c,
        })
        .collect()
}

/// Another value in the place of any.
pub(super) fn all(value: &Value, way: usize) -> Option<String> {
    Some(match value {
        Value::Whole(n) => numbers(*n).get(way).map(|(_, m)| m.to_string())?,
        Value::Float(x) => floats(x).get(way).map(|(_, y)| y.clone())?,
        Value::String(text) if words(text).next().is_some() => shape(text, way),
        Value::String(_) => return None,
        Value::Letter(letter) => shape(&letter.to_string(), way),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_of_a_shown_value_is_a_number_and_its_place_is_not() {
        let of = |text: &str| words(text).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(of("a {0:*^20} {1} {:>8.3} 7"), ["a", "20", "8", "3", "7"]);
        assert_eq!(replaced("{:20}", "20", "21").as_deref(), Some("{:21}"));
        assert_eq!(of("%5.2f {x} b"), ["b"]);
    }

    #[test]
    fn a_string_is_as_long_as_the_code_sees_it() {
        assert_eq!((length("\\ufeffa=b\\n"), length("a\\\\b"), length("{} é")), (5, 3, 4));
    }

    #[test]
    fn digits_and_letters_of_a_string_become_others_in_turn() {
        assert_eq!((part("1h30m", 0), part("1h30m", 1)), ("2h41m".into(), "1k30p".into()));
        assert_eq!((part("200", 1), part("Go", 0)), ("422".into(), "Hu".into()));
    }

    #[test]
    fn numbers_have_as_many_digits_and_more_and_fewer() {
        let all: Vec<i128> = numbers(200).into_iter().map(|(_, n)| n).collect();
        assert_eq!(&all[..6], [201, 2607, 20, 300, 199, 400]);
        assert_eq!(names("church"), ["fquketch", "djasdj", "gl"]);
        let lengths = |word: &str| names(word).iter().map(String::len).collect::<Vec<_>>();
        assert_eq!(
            (lengths("foo"), lengths("ab"), lengths("a")),
            (vec![5, 3, 2], vec![4, 2, 1], vec![3, 1])
        );
    }

    #[test]
    fn a_float_that_is_whole_stays_whole() {
        let all: Vec<String> = floats("20.0").into_iter().map(|(_, y)| y).collect();
        assert_eq!(&all[..5], ["21.0", "267.0", "2.0", "30.0", "19.0"]);
        assert_eq!(floats("1.5")[0].1, "2.0");
    }

    #[test]
    fn floats_go_one_step_of_their_last_digit() {
        assert_eq!(stepped_float("999.9", 0).as_deref(), Some("999.8"));
        assert_eq!(stepped_float("0.0009999", 1).as_deref(), Some("0.0010000"));
        assert_eq!(stepped_float("1e9", 0), None);
    }
}
