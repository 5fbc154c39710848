use crate::bench::write;
use proctor_testkit::missing;
use proctor_world::venv::{Layer, Venv, VenvError, describe, layered, paths_into};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use tempfile::TempDir;

/// A real environment with a package, and the places of a user's checkout and a tree.
struct Room {
    _temp: TempDir,
    top: PathBuf,
    base: Venv,
}

impl Room {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let venv = top.join("checkout/.venv");
        fs::create_dir(top.join("checkout")).unwrap();
        run(Path::new("python3"), &["-m", "venv", "--without-pip", &text(&venv)]);
        let base = describe(&venv).unwrap();
        let site = &base.site_packages[0];
        write(site, "below.py", "NAME = 'below 1'\n");
        write(site, "below-1.0.dist-info/METADATA", metadata("1.0"));
        write(site, "below-1.0.dist-info/RECORD", "below.py,,\nbelow-1.0.dist-info/RECORD,,\n");
        write(site, "below-1.0.dist-info/INSTALLER", "pip\n");
        write(&venv, "bin/below", format!("#!{}\nimport below\n", text(&base.python)));
        fs::set_permissions(venv.join("bin/below"), Permissions::from_mode(0o755)).unwrap();
        for (place, whose) in [("checkout", "user's"), ("tree", "tree's")] {
            write(&top.join(place), "src/own/__init__.py", format!("NAME = \"{whose}\"\n"));
        }
        Self { _temp: temp, top, base }
    }

    fn layer(&self, first: &[PathBuf]) -> Venv {
        let layer = Layer { python: &self.base.python, first, below: &self.base.site_packages };
        layered(&layer, &self.top.join("run/layer")).unwrap()
    }
}

fn metadata(version: &str) -> String {
    format!("Metadata-Version: 2.1\nName: below\nVersion: {version}\n")
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Runs Python as a run would: with nothing of this machine's user.
fn run(python: &Path, args: &[&str]) -> String {
    let out = Command::new(python)
        .args(args)
        .env_remove("PYTHONPATH")
        .env_remove("PYTHONHOME")
        .env_remove("VIRTUAL_ENV")
        .env("PYTHONNOUSERSITE", "1")
        .env_remove("PYTHONDONTWRITEBYTECODE")
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{args:?}: {said}");
    String::from_utf8(out.stdout).unwrap().trim_end().to_owned()
}

fn ask(venv: &Venv, question: &str) -> String {
    run(&venv.python, &["-c", question])
}

fn state(dir: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let mut all = BTreeMap::new();
    let mut todo = vec![dir.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let about = entry.metadata().unwrap();
            if about.is_dir() {
                todo.push(entry.path());
            }
            all.insert(entry.path(), about.modified().unwrap());
        }
    }
    all
}

/// A wheel of `below` 2.0, written with Python's own zip module.
fn wheel(python: &Path, folder: &Path) -> PathBuf {
    let path = folder.join("below-2.0-py3-none-any.whl");
    let script = r"
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as z:
    z.writestr('below.py', 'NAME = \'below 2\'\n')
    z.writestr('below-2.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: below\nVersion: 2.0\n')
    z.writestr('below-2.0.dist-info/WHEEL', 'Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
    z.writestr('below-2.0.dist-info/entry_points.txt', '[console_scripts]\nbelow = below:main\n')
    z.writestr('below-2.0.dist-info/RECORD', '')
";
    run(python, &["-c", script, &text(&path)]);
    path
}

#[test]
fn an_environment_and_an_installation_are_described() {
    if missing("python3") {
        return;
    }
    let room = Room::new();
    let base = &room.base;
    let version = ask(base, "import sys; print('%d.%d' % sys.version_info[:2])");
    let full = ask(base, "import sys; print('%d.%d.%d' % sys.version_info[:3])");
    assert_eq!(base.version, version);
    assert_eq!(base.full_version.as_ref(), Some(&full));
    let site = ask(base, "import sysconfig; print(sysconfig.get_path('purelib'))");
    assert_eq!(base.site_packages, [PathBuf::from(site)]);
    let below = PathBuf::from(ask(base, "import sys; print(sys.base_prefix)"));
    let installation = describe(&below).unwrap();
    assert_eq!(installation.version, version);
    assert_eq!(installation.home, base.home);
    assert_eq!(describe(&room.top), None);
}

#[test]
fn packages_below_are_imported_and_the_prefix_is_the_layer() {
    if missing("python3") {
        return;
    }
    let room = Room::new();
    let layer = room.layer(&[]);
    let before = state(&room.base.prefix);
    assert_eq!(describe(&layer.prefix).unwrap().version, room.base.version);
    assert_eq!(ask(&layer, "import below; print(below.NAME)"), "below 1");
    // Nor is compiled code written there.
    assert_eq!(state(&room.base.prefix), before);
    assert_eq!(ask(&layer, "import sys; print(sys.prefix)"), text(&layer.prefix));
    let same = "import sys; print(sys.base_prefix != sys.prefix)";
    assert_eq!(ask(&layer, same), "True");
    let real = ask(&room.base, "import sys; print(sys.base_prefix)");
    assert_eq!(ask(&layer, "import sys; print(sys.base_prefix)"), real);
    // Programs of the environment below name its interpreter: the layer has none of them.
    let found = "import shutil, sys; print(shutil.which('below', path=sys.prefix + '/bin'))";
    assert_eq!(ask(&layer, found), "None");
    assert_eq!(room.layer(&[]), layer);
    // A layer above a layer is of the same interpreter.
    let onto = room.top.join("run/onto");
    let above = Layer { python: &layer.python, first: &[], below: &layer.site_packages };
    let above = layered(&above, &onto).unwrap();
    assert_eq!(above.home, layer.home);
    assert_eq!(ask(&above, "import below; print(below.NAME)"), "below 1");
}

#[test]
fn what_is_installed_goes_into_the_layer_and_leaves_the_environment_below_as_it_is() {
    if missing("python3") || missing("pip3") {
        return;
    }
    let room = Room::new();
    // The installation's own pip, so that the test needs no network.
    let below = PathBuf::from(ask(&room.base, "import sys; print(sys.base_prefix)"));
    let mut from = room.base.site_packages.clone();
    from.extend(describe(&below).unwrap().site_packages);
    let layer = Layer { python: &room.base.python, first: &[], below: &from };
    let layer = layered(&layer, &room.top.join("run/layer")).unwrap();
    let wheel = wheel(&room.base.python, &room.top);
    let before = state(&room.base.prefix);
    let args = ["-m", "pip", "install", "--no-deps", "--no-index", "--quiet"];
    run(&layer.python, &[&args[..], &[&text(&wheel)]].concat());
    assert_eq!(state(&room.base.prefix), before);
    assert_eq!(ask(&layer, "import below; print(below.NAME)"), "below 2");
    assert_eq!(ask(&room.base, "import below; print(below.NAME)"), "below 1");
    let script = fs::read_to_string(layer.prefix.join("bin/below")).unwrap();
    assert!(script.starts_with(&format!("#!{}", text(&layer.python))), "{script}");
    // Completing a layer keeps what was installed into it.
    layered(&Layer { python: &room.base.python, first: &[], below: &from }, &layer.prefix).unwrap();
    assert_eq!(ask(&layer, "import below; print(below.NAME)"), "below 2");
}

#[test]
fn an_editable_package_of_the_checkout_is_the_trees_in_the_layer() {
    if missing("python3") {
        return;
    }
    let room = Room::new();
    let site = room.base.site_packages[0].clone();
    let (checkout, tree) = (room.top.join("checkout"), room.top.join("tree"));
    write(&site, "__editable__.own-1.0.pth", format!("{}\n", text(&checkout.join("src"))));
    write(&site, "other.pth", "# nothing\nimport sys\nbelow-1.0.dist-info\n");
    write(&checkout, "lib/more.py", "NAME = \"user's\"\n");
    write(&tree, "lib/more.py", "NAME = \"tree's\"\n");
    let mapping = format!(
        "MAPPING: dict[str, str] = {{'more': '{}'}}\n",
        text(&checkout.join("lib/more.py"))
    );
    write(&site, "__editable___more_1_0_finder.py", mapping);
    let name = "import own; print(own.NAME)";
    assert_eq!(ask(&room.base, name), "user's");

    let inside = paths_into(&room.base.site_packages, &checkout);
    assert_eq!(inside, [PathBuf::from("src"), PathBuf::from("lib")]);
    let first: Vec<PathBuf> = inside.iter().map(|path| tree.join(path)).collect();
    let layer = room.layer(&first);
    assert_eq!(ask(&layer, name), "tree's");
    assert_eq!(ask(&layer, "import more; print(more.NAME)"), "tree's");
    // It still applies, after the tree.
    let order = format!(
        "import sys; p = sys.path; print(p.index({:?}) < p.index({:?}) < p.index({:?}))",
        text(&tree.join("src")),
        text(&site),
        text(&checkout.join("src")),
    );
    assert_eq!(ask(&layer, &order), "True");
    // What is installed into the layer comes before both.
    write(&layer.site_packages[0], "own.pth", format!("{}\n", text(&room.top.join("third"))));
    write(&room.top, "third/own.py", "NAME = 'third'\n");
    assert_eq!(ask(&layer, name), "third");
}

#[test]
fn a_path_with_odd_characters_is_written_as_it_is() {
    if missing("python3") {
        return;
    }
    let room = Room::new();
    let odd = room.top.join("it's \\ späße");
    write(&odd, "odd.py", "NAME = 'odd'\n");
    let layer = Layer { python: &room.base.python, first: &[], below: &[odd] };
    let layer = layered(&layer, &room.top.join("run/layer")).unwrap();
    assert_eq!(ask(&layer, "import odd; print(odd.NAME)"), "odd");
    let broken = [room.top.join("a\nb")];
    let broken = Layer { python: &room.base.python, first: &broken, below: &[] };
    let refused = layered(&broken, &room.top.join("run/other"));
    assert!(matches!(refused, Err(VenvError::BadPath { .. })));
}

#[test]
fn a_script_in_the_place_of_the_interpreter_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    write(temp.path(), "bin/shim", "#!/bin/sh\nexec python3\n");
    symlink("shim", temp.path().join("bin/python3")).unwrap();
    let python = temp.path().join("bin/python3");
    let layer = Layer { python: &python, first: &[], below: &[] };
    let refused = layered(&layer, &temp.path().join("layer")).unwrap_err();
    assert!(matches!(&refused, VenvError::NotPython { path, .. } if *path == python), "{refused}");
    assert!(!temp.path().join("layer").exists());
}
