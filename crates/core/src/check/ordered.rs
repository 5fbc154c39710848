//! The order of keys: code that takes the values of a mapping by their places is right for one way of writing it.

use crate::observation::{Row, Sort, Varied};
use crate::verdict::{Finding, Weight};

/// A red test to which head gives another answer where the keys of what it gives stand in another order, and the base does
/// not. What only comes in another order too was asked to keep it.
pub(super) fn finding(varied: &Varied) -> Option<Finding> {
    let way = varied.variations.iter().position(|v| v.sort == Sort::Order)?;
    let asked = varied.head.plain[0].iter().filter(|row| varied.red && row.holds);
    let mut asked = asked.filter(|row| varied.head.plain[1].contains(row));
    let (is, was) = asked.find_map(|row| follows(varied, way, row))?;
    let text = format!(
        "with the keys of what {} gives in another order head's answer is {is} and no longer {was}, while the base's stays: the code may take values by their places; accepted: code that takes them by their names",
        varied.test
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&varied.test).at(&varied.place))
}

fn follows<'a>(varied: &'a Varied, way: usize, head: &'a Row) -> Option<(&'a str, &'a str)> {
    let same = |row: &&Row| row.key() == head.key() && row.raised.is_none();
    let base = varied.base.plain[0].iter().find(same)?;
    let steady = varied.base.plain[1].contains(base);
    let answer = (0..head.sides.len()).find(|n| head.sides.get(*n) != base.sides.get(*n))?;
    let of = |rows: &'a [Row]| rows.iter().find(same)?.sides.get(answer);
    // A base that gives one answer to everything has no order to keep.
    let mut others = varied.base.varied.iter().filter_map(|rows| of(rows));
    let tells = others.any(|side| Some(side) != base.sides.get(answer));
    let stays = of(varied.base.varied.get(way)?) == base.sides.get(answer);
    let (is, was) = (of(varied.head.varied.get(way)?)?, head.sides.get(answer)?);
    (steady && tells && stays && sorted(is) != sorted(was)).then_some((is.as_str(), was.as_str()))
}

/// The letters of a text, whatever their order.
fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::{Kind, Tables, Variation};
    use crate::report::Place;
    use crate::words::TestId;

    fn saw(answer: &str) -> Vec<Row> {
        let sides = vec![answer.to_owned(), "rent 12".to_owned()];
        let (kind, holds) = (Kind::Eq, answer == "rent 12");
        vec![Row { case: 1, site: 0, nth: 0, kind, holds, sides, raised: None, plain: Vec::new() }]
    }

    /// As it is, with another order, and with another input.
    fn varied(base: [&str; 3], head: [&str; 3]) -> Varied {
        let tables = |[own, order, input]: [&str; 3]| Tables {
            plain: [saw(own), saw(own)],
            varied: vec![saw(order), saw(input)],
        };
        let variation = |sort| Variation {
            sort,
            was: String::new(),
            now: String::new(),
            known: false,
            named: false,
            given: Vec::new(),
            pairs: Vec::new(),
        };
        Varied {
            red: true,
            chooses: true,
            test: TestId::new("t"),
            place: Place { file: "t.py".into(), line: Some(1) },
            inputs: Vec::new(),
            variations: vec![variation(Sort::Order), variation(Sort::Together)],
            names: Vec::new(),
            answers: Vec::new(),
            worked_out: Vec::new(),
            base: tables(base),
            head: tables(head),
        }
    }

    #[test]
    fn an_answer_that_goes_by_the_places_of_keys_is_for_a_person() {
        let base = ["rent ?", "rent ?", "food ?"];
        assert!(finding(&varied(base, ["rent 12", "3 12", "food 12"])).is_some());
        assert_eq!(finding(&varied(base, ["rent 12", "rent 12", "food 12"])), None);
        assert_eq!(finding(&varied(base, ["rent 12", "12 rent", "food 12"])), None, "its order");
        let one = ["rent ?", "rent ?", "rent ?"];
        assert_eq!(finding(&varied(one, ["rent 12", "3 12", "food 12"])), None);
    }
}
