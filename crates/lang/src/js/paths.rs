//! Where a module's relative path leads in a tree. Knows no package.

use crate::tree::{Tree, below};
use crate::zone::SCRIPTS;

/// The file that a module path stands for: itself, with an ending, or a folder's index. `a.js` may be written `a.ts`.
pub(crate) fn located(tree: &dyn Tree, path: &str) -> Option<String> {
    let is_script =
        |name: &str| name.rsplit_once('.').is_some_and(|(_, ending)| SCRIPTS.contains(&ending));
    let mut candidates = vec![path.to_owned()];
    candidates.extend(SCRIPTS.iter().map(|ending| format!("{path}.{ending}")));
    if is_script(path)
        && let Some((stem, _)) = path.rsplit_once('.')
    {
        candidates.extend(SCRIPTS.iter().map(|ending| format!("{stem}.{ending}")));
    }
    candidates.extend(SCRIPTS.iter().map(|ending| below(path, &format!("index.{ending}"))));
    candidates.into_iter().find(|c| !c.is_empty() && tree.read(c).is_some())
}
