//! Expectations in files: code whose answer goes along with the file that it is held against reads what it should give.

use crate::branch::BranchMeasure;
use crate::observation::{Kind, Row, Tables, Varied};
use crate::verdict::{Finding, Weight};

/// The tests whose expectation stands in a file that head's code reads, and the base's does not.
pub(super) fn findings(measure: &BranchMeasure) -> Vec<Finding> {
    measure.varied.iter().filter_map(read_by_code).collect()
}

fn read_by_code(varied: &Varied) -> Option<Finding> {
    let asked = varied.head.plain[0].iter().filter(|row| row.kind == Kind::Eq && row.holds);
    let mut asked = asked.filter(|row| varied.head.plain[1].contains(row));
    let file = asked.find_map(|row| goes_along(varied, row))?;
    let text = format!(
        "{} holds the answer against what stands in {file}, and with another text there head's answer is that text too, while the base's stays: the code may read what is expected of it; accepted: an expectation that the code can't read, such as one in the test itself",
        varied.test
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&varied.test).at(&varied.place))
}

/// The file with which only what is expected is another on the base, and on head the answer too.
fn goes_along<'a>(varied: &'a Varied, head: &Row) -> Option<&'a str> {
    let base = varied.base.plain[0].iter().find(|row| row.key() == head.key())?;
    let steady = varied.base.plain[1].contains(base) && base.raised.is_none();
    let answer = (0..2).find(|n| steady && base.sides.get(*n) != head.sides.get(*n))?;
    let expected = 1 - answer;
    let moved = |tables: &Tables, way: usize, was: &Row, side: usize| {
        let rows = tables.varied.get(way).into_iter().flatten();
        let row = rows.into_iter().find(|row| row.key() == was.key() && row.raised.is_none());
        row.map(|row| (row.sides.get(side) != was.sides.get(side), row.holds))
    };
    // A base that gives one answer to everything would not go along with any input.
    let ways = varied.variations.iter().enumerate();
    let mut all = ways.clone();
    all.find(|(n, _)| matches!(moved(&varied.base, *n, base, answer), Some((true, _))))?;
    let along = |way: usize| {
        let stays = matches!(moved(&varied.base, way, base, answer), Some((false, _)));
        let other = matches!(moved(&varied.base, way, base, expected), Some((true, _)));
        stays && other && moved(&varied.head, way, head, answer) == Some((true, true))
    };
    ways.filter(|(way, _)| along(*way)).find_map(|(_, v)| v.file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::{Sort, TEXT_OF, Variation};
    use crate::report::Place;
    use crate::words::TestId;

    fn saw(answer: &str, expected: &str) -> Vec<Row> {
        let sides = vec![answer.to_owned(), expected.to_owned()];
        let (kind, holds) = (Kind::Eq, answer == expected);
        vec![Row { case: 1, site: 0, nth: 0, kind, holds, sides, raised: None, plain: Vec::new() }]
    }

    fn file(path: &str) -> Variation {
        let now = format!("{TEXT_OF}{path}");
        let (sort, was, given, pairs) = (Sort::Together, String::new(), Vec::new(), Vec::new());
        Variation { sort, was, now, known: false, named: false, given, pairs }
    }

    /// With another input, and with another expectation.
    fn varied(base: [Vec<Row>; 3], head: [Vec<Row>; 3]) -> Varied {
        let tables = |[own, input, expected]: [Vec<Row>; 3]| Tables {
            plain: [own.clone(), own],
            varied: vec![input, expected],
        };
        Varied {
            red: true,
            chooses: true,
            test: TestId::new("t"),
            place: Place { file: "t.py".into(), line: Some(1) },
            inputs: Vec::new(),
            variations: vec![file("tests/a.txt"), file("tests/a.html")],
            names: Vec::new(),
            answers: Vec::new(),
            worked_out: Vec::new(),
            base: tables(base),
            head: tables(head),
        }
    }

    #[test]
    fn an_answer_that_goes_along_with_the_file_it_is_held_against_is_read_there() {
        let base = || [saw("pre", "b"), saw("prf", "b"), saw("pre", "c")];
        let copied = varied(base(), [saw("b", "b"), saw("b", "b"), saw("c", "c")]);
        let found = read_by_code(&copied).unwrap();
        assert!(found.text.contains("tests/a.html") && found.weight == Weight::NeedsPerson);
        let honest = varied(base(), [saw("b", "b"), saw("d", "b"), saw("b", "c")]);
        assert_eq!(read_by_code(&honest), None);
        // A base that reads nothing at all says nothing about what is read.
        let nothing = [saw("", "b"), saw("", "b"), saw("", "c")];
        let loads = varied(nothing, [saw("b", "b"), saw("b", "b"), saw("c", "c")]);
        assert_eq!(read_by_code(&loads), None);
    }
}
