//! Whether mutants still parse. Asks the parser about many at once, since one parse of a file costs more than
//! everything else here.

use super::candidate::Candidate;
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use tree_sitter::{Node, Tree};

/// The candidates whose text has no more errors than the source had, in the order given.
pub(super) fn viable(
    language: Language,
    source: &str,
    tree: &Tree,
    candidates: Vec<Candidate>,
) -> Vec<Candidate> {
    let known = errors(tree.root_node());
    let mut kept = vec![false; candidates.len()];
    for layer in layers(&candidates) {
        check(language, source, known, &candidates, &layer, &mut kept);
    }
    candidates.into_iter().zip(kept).filter_map(|(c, keep)| keep.then_some(c)).collect()
}

/// Groups of candidates that don't touch each other.
fn layers(candidates: &[Candidate]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let edit = |index: usize| candidates.get(index).map(|c| (c.edit.from, c.edit.to));
    order.sort_by_key(|index| edit(*index));
    let mut layers: Vec<(usize, Vec<usize>)> = Vec::new();
    for index in order {
        let Some((from, to)) = edit(index) else { continue };
        match layers.iter_mut().find(|(end, _)| *end < from) {
            Some((end, layer)) => {
                *end = to;
                layer.push(index);
            }
            None => layers.push((to, vec![index])),
        }
    }
    layers.into_iter().map(|(_, layer)| layer).collect()
}

/// All of them at once; where that does not parse, each half by itself.
fn check(
    language: Language,
    source: &str,
    known: usize,
    candidates: &[Candidate],
    layer: &[usize],
    kept: &mut [bool],
) {
    let edits: Vec<Edit> =
        layer.iter().filter_map(|i| candidates.get(*i)).map(|c| c.edit.clone()).collect();
    let parsed = language.parse(&Edit::applied(source, &edits));
    if parsed.is_some_and(|tree| errors(tree.root_node()) <= known) {
        for index in layer {
            if let Some(slot) = kept.get_mut(*index) {
                *slot = true;
            }
        }
    } else if layer.len() > 1 {
        let (left, right) = layer.split_at(layer.len() / 2);
        check(language, source, known, candidates, left, kept);
        check(language, source, known, candidates, right, kept);
    }
}

/// Nodes that could not be parsed or are missing.
fn errors(root: Node<'_>) -> usize {
    let mut count = 0;
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            count += 1;
        }
        if node.has_error() {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor));
        }
    }
    count
}
