//! The known word that is nearest to an unknown one, for hints.

/// The nearest of `known`, if it is near enough to be meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (distance(&word, &candidate.to_lowercase()), candidate))
        .filter(|(far, candidate)| *far <= candidate.len().max(word.len()) / 2)
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be added, taken away, changed or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut now = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(last[j] + 1).min(now[j - 1] + 1);
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swapped {
                best = best.min(before[j - 2] + 1);
            }
            now.push(best);
        }
        before = std::mem::replace(&mut last, now);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_understood_and_a_stranger_is_not() {
        let known = ["runner", "test_cmd", "limits"];
        assert_eq!(nearest("runer", known), Some("runner"));
        assert_eq!(nearest("limist", known), Some("limits"));
        assert_eq!(nearest("test-cmd", known), Some("test_cmd"));
        assert_eq!(nearest("zebra", known), None);
    }
}
