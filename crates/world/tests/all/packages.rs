use crate::bench::write;
use proctor_testkit::missing;
use proctor_world::child::Cancel;
use proctor_world::packages::{self, Kept, Linked, PackagesError};
use proctor_world::tree::remove_tree;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A user's checkout with packages, a tree of the same files with other code, and a home of Proctor's.
struct Room {
    _temp: TempDir,
    checkout: PathBuf,
    tree: PathBuf,
    home: PathBuf,
}

impl Room {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let room = Self {
            checkout: top.join("checkout"),
            tree: top.join("tree"),
            home: top.join("home"),
            _temp: temp,
        };
        for (dir, whose) in [(&room.checkout, "user's"), (&room.tree, "tree's")] {
            write(dir, "package.json", r#"{"name":"top","workspaces":["packages/*"]}"#);
            write(dir, "packages/core/package.json", r#"{"name":"@own/core","main":"core.js"}"#);
            write(dir, "packages/core/core.js", format!("module.exports = \"{whose} core\";"));
            write(dir, "packages/app/package.json", r#"{"name":"app"}"#);
            write(dir, "packages/app/bin.js", format!("console.log(\"{whose} app\");"));
        }
        write(&room.checkout, ".gitignore", "node_modules\n");
        room
    }

    /// As npm lays packages out: all at the top, links to those of the repository, one conflict below.
    fn npm() -> Self {
        let room = Self::new();
        let modules = room.checkout.join("node_modules");
        write(&modules, ".package-lock.json", "{}");
        package(&modules, "dep", "'dep, with ' + require('@scope/inner')", "{}");
        package(&modules, "@scope/inner", "'inner'", "{}");
        package(&modules, "two", "'two 1'", "{}");
        let peers = r#"{"@own/core":"*"}"#;
        package(&modules, "plugin", "'plugin of ' + require('@own/core')", peers);
        package(&modules, "preset", "'preset of ' + require('plugin')", r#"{"plugin":"1"}"#);
        package(&room.checkout.join("packages/app/node_modules"), "two", "'two 2'", "{}");
        fs::create_dir_all(modules.join("@own")).unwrap();
        symlink("../../packages/core", modules.join("@own/core")).unwrap();
        symlink("../packages/app", modules.join("app")).unwrap();
        fs::create_dir(modules.join(".bin")).unwrap();
        symlink("../dep/index.js", modules.join(".bin/dep")).unwrap();
        symlink("../app/bin.js", modules.join(".bin/app")).unwrap();
        write(&modules, ".cache/babel/x.json", "cached");
        write(&modules, ".vite/deps/x.js", "cached");
        room
    }

    /// As pnpm lays them out: each version once in a virtual store, everything else is links.
    fn pnpm() -> Self {
        let room = Self::new();
        let modules = room.checkout.join("node_modules");
        let own = modules.join(".pnpm");
        write(&modules, ".modules.yaml", "layoutVersion: 5\n");
        write(&own, "lock.yaml", "lockfileVersion: '9.0'\n");
        package(&own.join("dep@1/node_modules"), "dep", "'dep, with ' + require('inner')", "{}");
        package(&own.join("inner@1/node_modules"), "inner", "'inner'", "{}");
        symlink("../../inner@1/node_modules/inner", own.join("dep@1/node_modules/inner")).unwrap();
        let plugin = own.join("plugin@1_@own+core@packages+core/node_modules");
        package(&plugin, "plugin", "'plugin of ' + require('@own/core')", "{}");
        fs::create_dir(plugin.join("@own")).unwrap();
        symlink("../../../../../packages/core", plugin.join("@own/core")).unwrap();
        symlink(".pnpm/dep@1/node_modules/dep", modules.join("dep")).unwrap();
        let target = ".pnpm/plugin@1_@own+core@packages+core/node_modules/plugin";
        symlink(target, modules.join("plugin")).unwrap();
        let app = room.checkout.join("packages/app/node_modules");
        fs::create_dir_all(app.join("@own")).unwrap();
        symlink("../../../core", app.join("@own/core")).unwrap();
        symlink("../../../node_modules/.pnpm/dep@1/node_modules/dep", app.join("dep")).unwrap();
        write(&app, ".bin/dep", "#!/bin/sh\n");
        room
    }

    fn keep(&self) -> Kept {
        packages::keep(&self.home, &self.checkout, &Cancel::new()).unwrap().unwrap()
    }

    fn link(&self, kept: &Kept) -> Linked {
        packages::link(kept, &self.tree, &Cancel::new()).unwrap()
    }

    /// What an expression is in a file of the tree.
    fn node(&self, folder: &str, expression: &str) -> String {
        let file = self.tree.join(folder).join("ask.js");
        fs::write(&file, format!("process.stdout.write(String({expression}));")).unwrap();
        let out = Command::new("node").arg(&file).env_remove("NODE_PATH").output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{expression}: {said}");
        String::from_utf8(out.stdout).unwrap()
    }
}

fn package(modules: &Path, name: &str, value: &str, peers: &str) {
    let about = format!(r#"{{"name":"{name}","version":"1.0.0","peerDependencies":{peers}}}"#);
    write(modules, &format!("{name}/package.json"), about);
    write(modules, &format!("{name}/index.js"), format!("module.exports = {value};"));
}

/// Every path below a folder, with what the files hold.
fn contents(dir: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut all = Vec::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            if about.is_dir() {
                todo.push(path.clone());
            }
            all.push((path.clone(), about.is_file().then(|| fs::read(&path).unwrap())));
        }
    }
    all.sort();
    all
}

#[test]
fn installed_packages_are_required_from_the_store() {
    if missing("node") {
        return;
    }
    let room = Room::npm();
    let kept = room.keep();
    let linked = room.link(&kept);
    assert_eq!(linked, Linked { folders: 2, links: 4, copies: 2 });
    assert_eq!(room.node("", "require('dep')"), "dep, with inner");
    assert_eq!(room.node("", "require('two')"), "two 1");
    assert_eq!(room.node("packages/app", "require('two')"), "two 2");
    let place = room.node("", "require.resolve('dep')");
    assert_eq!(Path::new(&place), kept.dir().join("node_modules/dep/index.js"));
}

#[test]
fn a_package_of_the_repository_is_the_trees_and_never_the_users() {
    if missing("node") {
        return;
    }
    for room in [Room::npm(), Room::pnpm()] {
        let kept = room.keep();
        room.link(&kept);
        assert_eq!(room.node("packages/app", "require('@own/core')"), "tree's core");
        // A package that is installed and uses one of the repository finds the tree's too.
        assert_eq!(room.node("", "require('plugin')"), "plugin of tree's core");
    }
    let room = Room::npm();
    room.link(&room.keep());
    assert_eq!(room.node("", "require('preset')"), "preset of plugin of tree's core");
    let bin = room.tree.join("node_modules/.bin/app");
    assert_eq!(bin.canonicalize().unwrap(), room.tree.join("packages/app/bin.js"));
}

#[test]
fn a_link_with_a_full_path_into_the_checkout_leads_into_the_tree() {
    if missing("node") {
        return;
    }
    let room = Room::npm();
    let modules = room.checkout.join("node_modules");
    let (full, long) = (modules.join("full"), modules.join("long"));
    symlink(room.checkout.join("packages/core"), &full).unwrap();
    symlink("../../checkout/packages/core", &long).unwrap();
    symlink(room.checkout.join("not/yet"), modules.join("nothing")).unwrap();
    let kept = room.keep();
    room.link(&kept);
    assert_eq!(
        room.node("", "require('full') + ', ' + require('long')"),
        "tree's core, tree's core"
    );
    for (path, _) in contents(kept.dir()).into_iter().chain(contents(&room.tree)) {
        if let Ok(target) = fs::read_link(&path) {
            let real = path.canonicalize().unwrap_or_else(|_| target.clone());
            assert!(!real.starts_with(&room.checkout), "{} leads to {target:?}", path.display());
        }
    }
}

#[test]
fn a_link_out_of_the_repository_leads_where_it_led() {
    let room = Room::npm();
    let outside = room.checkout.with_file_name("outside");
    write(&outside, "index.js", "module.exports = 'outside';");
    symlink("../../outside", room.checkout.join("node_modules/outside")).unwrap();
    let kept = room.keep();
    room.link(&kept);
    assert_eq!(room.tree.join("node_modules/outside").canonicalize().unwrap(), outside);
    assert_eq!(kept.dir().join("node_modules/outside").canonicalize().unwrap(), outside);
}

#[test]
fn packages_in_the_manner_of_pnpm_are_found_from_every_folder() {
    if missing("node") {
        return;
    }
    let room = Room::pnpm();
    let kept = room.keep();
    let linked = room.link(&kept);
    assert_eq!(linked, Linked { folders: 2, links: 2, copies: 1 });
    for folder in ["", "packages/app"] {
        assert_eq!(room.node(folder, "require('dep')"), "dep, with inner");
        let place = room.node(folder, "require.resolve('dep')");
        let store = kept.dir().join("node_modules/.pnpm/dep@1/node_modules/dep/index.js");
        assert_eq!(Path::new(&place), store);
    }
    assert!(fs::symlink_metadata(room.tree.join("packages/app/node_modules/.bin/dep")).is_ok());
}

#[test]
fn what_a_run_writes_stays_in_its_tree_and_the_store_outlives_the_tree() {
    let room = Room::npm();
    let kept = room.keep();
    let before = contents(kept.dir());
    room.link(&kept);
    let modules = room.tree.join("node_modules");
    assert!(!modules.join(".cache").exists() && !modules.join(".vite").exists());
    write(&modules, ".vite/deps/x.js", "cached by a run");
    write(&modules, ".package-lock.json", "written by a run");
    write(&modules, "@scope/new/index.js", "installed by a run");
    fs::write(modules.join("plugin/index.js"), "patched by a run").unwrap();
    assert_eq!(contents(kept.dir()), before);
    // Also the slow way, when rights were taken away.
    fs::set_permissions(&modules, fs::Permissions::from_mode(0o555)).unwrap();
    remove_tree(&room.tree).unwrap();
    assert!(!room.tree.exists());
    assert_eq!(contents(kept.dir()), before);
    assert!(room.checkout.join("packages/core/core.js").exists());
}

#[test]
fn the_store_can_not_be_written_into() {
    let room = Room::npm();
    let kept = room.keep();
    let before = contents(&room.checkout);
    for (path, _) in contents(&kept.dir().join("node_modules")) {
        let about = fs::symlink_metadata(&path).unwrap();
        if !about.is_symlink() {
            assert_eq!(about.permissions().mode() & 0o222, 0, "{}", path.display());
        }
    }
    drop(kept);
    assert_eq!(packages::trim(&room.home, 0).unwrap().len(), 1);
    assert_eq!(fs::read_dir(room.home.join("packages")).unwrap().count(), 0);
    assert_eq!(contents(&room.checkout), before);
}

#[test]
fn a_store_is_made_once_and_again_after_an_install() {
    let room = Room::npm();
    let first = room.keep();
    let key = packages::identity(&room.checkout).unwrap();
    assert_eq!(first.dir(), room.home.join("packages").join(&key));
    let marker = fs::metadata(first.dir()).unwrap();
    let second = room.keep();
    assert_eq!(second.dir(), first.dir());
    let inode = |about: fs::Metadata| std::os::unix::fs::MetadataExt::ino(&about);
    assert_eq!(inode(fs::metadata(second.dir()).unwrap()), inode(marker));
    // A cache that a tool writes is no install.
    write(&room.checkout, "node_modules/.cache/more", "cached");
    let modules = room.checkout.join("packages/app/node_modules");
    package(&modules, "three", "'three'", "{}");
    assert_ne!(packages::identity(&room.checkout).unwrap(), key);
    let third = room.keep();
    assert_ne!(third.dir(), first.dir());
    assert!(third.dir().join("packages/app/node_modules/three").exists());
    // Those in use stay, whatever is trimmed.
    assert!(packages::trim(&room.home, 0).unwrap().is_empty());
}

#[test]
fn a_store_that_was_written_into_is_not_used_again() {
    let room = Room::npm();
    let spoilt = room.keep();
    let file = spoilt.dir().join("node_modules/dep/index.js");
    let about = fs::metadata(&file).unwrap();
    let text = fs::read(&file).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(&file, vec![b' '; text.len()]).unwrap();
    // As one that hides what it did: the same size, rights and time.
    fs::set_permissions(&file, about.permissions()).unwrap();
    fs::File::open(&file).unwrap().set_modified(about.modified().unwrap()).unwrap();
    let whole = room.keep();
    assert_ne!(whole.dir(), spoilt.dir());
    assert_eq!(fs::read(whole.dir().join("node_modules/dep/index.js")).unwrap(), text);
    let (old, new) = (spoilt.dir().to_owned(), whole.dir().to_owned());
    drop((spoilt, whole));
    // Nobody uses the spoilt one any more: its place is taken by a good one.
    let whole = room.keep();
    assert_eq!(whole.dir(), old);
    assert_eq!(fs::read(old.join("node_modules/dep/index.js")).unwrap(), text);
    assert!(new.exists());
}

#[test]
fn linking_twice_changes_nothing_and_what_the_tree_holds_itself_stays() {
    let room = Room::npm();
    write(&room.tree, "node_modules/dep/index.js", "in git");
    let kept = room.keep();
    room.link(&kept);
    let before = contents(&room.tree);
    assert_eq!(room.link(&kept), Linked { folders: 2, links: 0, copies: 0 });
    assert_eq!(contents(&room.tree), before);
    assert_eq!(fs::read(room.tree.join("node_modules/dep/index.js")).unwrap(), b"in git");
    // After an install the links lead into the new store.
    package(&room.checkout.join("node_modules"), "three", "'three'", "{}");
    let newer = room.keep();
    room.link(&newer);
    let target = fs::read_link(room.tree.join("node_modules/two")).unwrap();
    assert!(target.starts_with(newer.dir()), "{target:?}");
}

#[test]
fn nothing_is_written_through_a_link_of_the_tree() {
    let room = Room::npm();
    let outside = room.tree.with_file_name("outside");
    fs::create_dir(&outside).unwrap();
    remove_tree(&room.tree.join("packages/app")).unwrap();
    symlink(&outside, room.tree.join("packages/app")).unwrap();
    let kept = room.keep();
    assert_eq!(room.link(&kept).folders, 1);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    remove_tree(&room.tree.join("node_modules")).unwrap();
    symlink(&outside, room.tree.join("node_modules")).unwrap();
    let refused = packages::link(&kept, &room.tree, &Cancel::new());
    let modules = room.tree.join("node_modules");
    assert!(matches!(refused, Err(PackagesError::InTheWay { path }) if path == modules));
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_checkout_without_packages_has_nothing_to_keep() {
    let room = Room::new();
    assert_eq!(packages::identity(&room.checkout), None);
    let kept = packages::keep(&room.home, &room.checkout, &Cancel::new()).unwrap();
    assert!(kept.is_none());
}
