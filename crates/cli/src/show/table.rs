//! Cells in columns that line up.

/// Each line as wide as its cells need, two blanks between them.
pub fn table<const N: usize>(cells: &[[String; N]]) -> Vec<String> {
    let mut widths = [0; N];
    for line in cells {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &[String; N]| {
        let padded: Vec<String> =
            cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        padded.join("  ").trim_end().to_owned()
    };
    cells.iter().map(line).collect()
}
