//! How many packages the lock file may hold, our own included.

use crate::fault::Fault;
use crate::tree::Tree;

const BUDGET: usize = 300;

pub fn check(tree: &Tree) -> Vec<Fault> {
    let accepted =
        format!("at most {BUDGET} packages; drop a dependency, or features that pull others in");
    let Some(text) = tree.text("Cargo.lock") else {
        return vec![Fault::error("Cargo.lock", "it is not in the repository", accepted)];
    };
    let packages = text.lines().filter(|line| line.trim() == "[[package]]").count();
    if packages <= BUDGET {
        return Vec::new();
    }
    vec![Fault::error("Cargo.lock", format!("{packages} packages"), accepted)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_is_three_hundred_packages() {
        let with = |n: usize| {
            let text = "[[package]]\nname = \"x\"\n\n".repeat(n);
            check(&Tree::of(&[("Cargo.lock", &text)])).len()
        };
        assert_eq!((with(300), with(301)), (0, 1));
        assert_eq!(check(&Tree::of(&[])).len(), 1);
    }
}
