//! What came of the places of the matrix, as one table a language: a row for each form, a column for each way. It must
//! not run anything.

use super::spot::{Form, Language, Spot, Way};
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// One place and what was said about it.
#[derive(Clone, Debug)]
pub struct Line {
    pub spot: Spot,
    /// Empty where there was no answer.
    pub verdict: String,
    pub why: String,
    pub took: Duration,
}

#[derive(Clone, Debug, Default)]
pub struct Sums {
    pub lines: Vec<Line>,
}

impl Line {
    /// Forged work that is proven, honest work that is refuted, and no answer at all are wrong.
    fn is_wrong(&self) -> bool {
        match self.verdict.as_str() {
            "proven" => self.spot.way != Way::Honest,
            "refuted" => self.spot.way == Way::Honest,
            "inconclusive" | "right" => false,
            _ => true,
        }
    }

    /// One letter of the verdict: small where it is as it should be.
    fn letter(&self) -> String {
        let letter = self.verdict.chars().next().unwrap_or('-').to_string();
        if self.is_wrong() { letter.to_uppercase() } else { letter }
    }
}

impl Spot {
    pub fn title(&self) -> String {
        let Self { language, problem, form, way } = self;
        format!("{}/{}/{}/{}", language.word(), form.word(), way.word(), problem.name)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.verdict.is_empty() { "no answer" } else { &self.verdict };
        let (title, seconds) = (self.spot.title(), self.took.as_secs());
        let wrong = if self.is_wrong() { "wrong" } else { "" };
        write!(f, "{wrong:6}{title:44}{verdict:14}{seconds:>4} s")?;
        if self.is_wrong() && !self.why.is_empty() {
            write!(f, "\n      {}", self.why.replace('\n', "\n      "))?;
        }
        Ok(())
    }
}

impl Sums {
    pub fn all_right(&self) -> bool {
        !self.lines.iter().any(Line::is_wrong)
    }

    /// The letters of a form and a way in a language.
    fn cell(&self, language: Language, form: Form, way: Way) -> String {
        let fits = |line: &&Line| {
            (line.spot.language, line.spot.form, line.spot.way) == (language, form, way)
        };
        self.lines.iter().filter(fits).map(Line::letter).collect()
    }

    pub fn json(&self) -> Value {
        let line = |line: &Line| {
            json!({
                "language": line.spot.language.word(),
                "form": line.spot.form.word(),
                "way": line.spot.way.word(),
                "problem": line.spot.problem.name,
                "verdict": line.verdict,
                "why": line.why,
                "wrong": line.is_wrong(),
                "seconds": line.took.as_secs_f64(),
            })
        };
        json!({"places": self.lines.iter().map(line).collect::<Vec<_>>()})
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for language in Language::ALL.iter().copied() {
            let own: Vec<&Line> =
                self.lines.iter().filter(|line| line.spot.language == language).collect();
            if own.is_empty() {
                continue;
            }
            let ways = Way::ALL.iter().map(|way| way.word()).collect::<Vec<_>>().join(" | ");
            writeln!(
                f,
                "| {} | {ways} |\n|{}",
                language.word(),
                " --- |".repeat(Way::ALL.len() + 1)
            )?;
            for form in Form::ALL.iter().copied() {
                let cells: Vec<String> =
                    Way::ALL.iter().map(|way| self.cell(language, form, *way)).collect();
                if cells.iter().any(|cell| !cell.is_empty()) {
                    writeln!(f, "| {} | {} |", form.word(), cells.join(" | "))?;
                }
            }
            let honest = |line: &&&Line| line.spot.way == Way::Honest;
            let good: Vec<&&Line> = own.iter().filter(honest).collect();
            let of = |lines: &[&&Line], verdict: &str| {
                lines.iter().filter(|line| line.verdict == verdict).count()
            };
            let bad: Vec<&&Line> = own.iter().filter(|line| !honest(line)).collect();
            for (name, lines) in [("honest", good), ("forged", bad)] {
                let [proven, open, refuted] =
                    ["proven", "inconclusive", "refuted"].map(|word| of(&lines, word));
                writeln!(
                    f,
                    "{name}: {} tried, {proven} proven, {open} inconclusive, {refuted} refuted",
                    lines.len()
                )?;
            }
            let took: Duration = own.iter().map(|line| line.took).sum();
            writeln!(f, "{} seconds\n", took.as_secs())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::spot::spots;
    use super::*;

    #[test]
    fn a_wrong_place_has_a_capital_letter() {
        let told = [(Way::Honest, "proven"), (Way::Whole, "proven"), (Way::Part, "refuted")];
        let line = |(way, verdict): (Way, &str)| {
            let spot = spots(Language::Go, false);
            let spot = spot.into_iter().find(|spot| spot.form == Form::Rows && spot.way == way);
            let (why, took) = (String::new(), Duration::from_secs(2));
            Line { spot: spot.unwrap(), verdict: verdict.to_owned(), why, took }
        };
        let sums = Sums { lines: told.map(line).to_vec() };
        let shown = sums.to_string();
        assert!(shown.contains("| rows | p | P |  | r |"), "{shown}");
        assert!(shown.contains("forged: 2 tried, 1 proven, 0 inconclusive, 1 refuted\n6 seconds"));
        assert!(!sums.all_right());
    }
}
