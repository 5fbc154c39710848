//! Cells in columns that line up, and in as many columns as a terminal has room for.

/// The narrowest terminal that lines are made for.
const NARROWEST: usize = 60;
/// So much of the last column has to be seen.
const FAIR: usize = 16;
/// So much of a name's end names it.
const NAMED: usize = 8;

/// Each line as wide as its cells need, two blanks between them; a column without a word is none.
pub fn table<const N: usize>(cells: &[[String; N]]) -> Vec<String> {
    let widths = widths(cells);
    let line = |cells: &[String; N]| {
        let columns = cells.iter().zip(widths).filter(|(_, width)| *width > 0);
        let padded: Vec<String> = columns.map(|(cell, width)| format!("{cell:<width$}")).collect();
        padded.join("  ").trim_end().to_owned()
    };
    cells.iter().map(line).collect()
}

/// The same in a terminal: where it is narrow the columns in `spare` go one after the other, then the names in the first
/// column are told by their ends, then lines are cut.
pub fn fitted<const N: usize>(
    cells: &[[String; N]],
    columns: Option<usize>,
    spare: &[usize],
) -> Vec<String> {
    let Some(most) = columns.map(|columns| columns.max(NARROWEST)) else { return table(cells) };
    let mut cells = cells.to_vec();
    for column in spare {
        if room(&cells) > most {
            for line in &mut cells {
                line[*column].clear();
            }
        }
    }
    let name = widths(&cells)[0].saturating_sub(room(&cells).saturating_sub(most)).max(NAMED);
    for line in cells.iter_mut().skip(1) {
        let length = line[0].chars().count();
        if length > name {
            line[0] = std::iter::once('…').chain(line[0].chars().skip(length + 1 - name)).collect();
        }
    }
    let cut = |line: String| {
        if line.chars().count() <= most {
            return line;
        }
        line.chars().take(most - 1).chain(std::iter::once('…')).collect()
    };
    table(&cells).into_iter().map(cut).collect()
}

fn widths<const N: usize>(cells: &[[String; N]]) -> [usize; N] {
    let mut widths = [0; N];
    for line in cells {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    widths
}

/// What all columns need, a fair part of the last one counted.
fn room<const N: usize>(cells: &[[String; N]]) -> usize {
    let widths = widths(cells);
    let (last, rest) = widths.split_last().unwrap_or((&0, &[]));
    let rest: usize = rest.iter().filter(|width| **width > 0).map(|width| width + 2).sum();
    rest + (*last).min(FAIR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_sees_what_matters_most() {
        let line = |cells: [&str; 4]| cells.map(str::to_owned);
        let cells = [
            line(["RUN", "STAGE", "NEXT", "TASK"]),
            line([
                "a-very-long-name-of-a-run-that-nobody-types-ab12",
                "approval",
                "approve",
                "what is wanted, in a sentence",
            ]),
        ];
        assert_eq!(fitted(&cells, None, &[1]), table(&cells));
        assert_eq!(fitted(&cells, Some(200), &[1]), table(&cells));
        let narrow = fitted(&cells, Some(60), &[1]);
        assert_eq!(narrow[0].split_whitespace().collect::<Vec<_>>(), ["RUN", "NEXT", "TASK"]);
        assert!(narrow[1].contains("-that-nobody-types-ab12  approve  what"), "{narrow:?}");
        assert!(narrow.iter().all(|line| line.chars().count() <= 60), "{narrow:?}");
    }
}
