//! Where the links of installed packages lead. A tree may be a mount that is seen from here through a link at its very
//! top, which can't be resolved to a path: so links are followed below it, and it stays as it is. Only reads.

use super::tool::folders;
use crate::ask::Ask;
use proctor_lang::tree::below;
use std::path::{Component, Path, PathBuf};

/// As many links as the system follows on one way.
const MOST_LINKS: usize = 40;

/// A package that is a link to the project's own code in a folder that is not the tested one: so workspaces look where
/// their `node_modules` was brought from another checkout.
pub(crate) fn led_elsewhere(ask: &Ask) -> Option<String> {
    let elsewhere: Vec<PathBuf> = ask.elsewhere.iter().flat_map(|p| p.canonicalize()).collect();
    let strays = |path: &str| {
        led_outside(&ask.tree, path).is_some_and(|real| {
            elsewhere.iter().any(|folder| {
                real.strip_prefix(folder)
                    .is_ok_and(|rest| !rest.components().any(|c| c.as_os_str() == "node_modules"))
            })
        })
    };
    for folder in folders(ask) {
        let packages = below(&folder, "node_modules");
        for name in names_in(&ask.tree.join(&packages)) {
            let scope = ask.tree.join(&packages).join(&name);
            let inner = if name.starts_with('@') { names_in(&scope) } else { Vec::new() };
            let scoped = inner.iter().map(|one| format!("{packages}/{name}/{one}"));
            let all = std::iter::once(format!("{packages}/{name}")).chain(scoped);
            if let Some(path) = all.into_iter().find(|path| strays(path)) {
                return Some(path);
            }
        }
    }
    None
}

fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The real path of something that is named below the tree and lies outside it; none where it lies inside, or nowhere.
fn led_outside(tree: &Path, path: &str) -> Option<PathBuf> {
    // What is still to go, the next part last.
    let mut way = parts(Path::new(path));
    let mut at = PathBuf::new();
    let mut links = 0;
    while let Some(part) = way.pop() {
        if part == Path::new("..") {
            if !at.pop() {
                // Above the tree there are no more links to it.
                let rest: PathBuf = way.iter().rev().collect();
                return tree.parent()?.join(rest).canonicalize().ok();
            }
            continue;
        }
        let next = at.join(&part);
        let Ok(target) = std::fs::read_link(tree.join(&next)) else {
            at = next;
            continue;
        };
        links += 1;
        if links > MOST_LINKS {
            return None;
        }
        if target.is_absolute() {
            let Ok(inside) = target.strip_prefix(tree) else {
                let rest: PathBuf = way.iter().rev().collect();
                return target.join(rest).canonicalize().ok();
            };
            at = PathBuf::new();
            way.extend(parts(inside));
        } else {
            way.extend(parts(&target));
        }
    }
    None
}

/// The parts of a path that count, the last one first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("..")),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    path.components().rev().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    struct Room {
        _temp: tempfile::TempDir,
        top: PathBuf,
        tree: PathBuf,
    }

    /// A checkout with a package, and a tree that is seen through a link that can't be resolved to itself.
    fn room() -> Room {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        for folder in ["checkout/packages/app", "mounted/packages/app", "mounted/node_modules"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        symlink("mounted", top.join("tree")).unwrap();
        let tree = top.join("tree");
        Room { _temp: temp, top, tree }
    }

    #[test]
    fn a_link_into_the_tree_stays_inside_however_it_is_written() {
        let room = room();
        let modules = room.tree.join("node_modules");
        symlink("../packages/app", modules.join("relative")).unwrap();
        symlink(room.tree.join("packages/app"), modules.join("absolute")).unwrap();
        symlink("relative", modules.join("twice")).unwrap();
        symlink("round", modules.join("round")).unwrap();
        for name in ["relative", "absolute", "twice", "round", "absent"] {
            assert_eq!(led_outside(&room.tree, &format!("node_modules/{name}")), None, "{name}");
        }
    }

    #[test]
    fn a_link_out_of_the_tree_is_found_however_it_is_written() {
        let room = room();
        let there = room.top.join("checkout/packages/app");
        let modules = room.tree.join("node_modules");
        symlink(&there, modules.join("absolute")).unwrap();
        symlink("absolute", modules.join("twice")).unwrap();
        symlink("../../checkout/packages/app", modules.join("relative")).unwrap();
        symlink("../../checkout", modules.join("above")).unwrap();
        for name in ["absolute", "twice", "relative", "above/packages/app"] {
            let led = led_outside(&room.tree, &format!("node_modules/{name}"));
            assert_eq!(led.as_deref(), Some(there.as_path()), "{name}");
        }
    }
}
