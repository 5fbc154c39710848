//! Which code pytest tests: the tree's, whatever the environment holds of the project.

use crate::pytest_tools::{plugins, python, venv};
use crate::stage::{Stage, end, reason, with_program};
use proctor_core::report::{Reason, RunEnd, TestReport};
use std::path::{Path, PathBuf};

const TEST: &str = "import shop\ndef test_price(): assert shop.price() == 3\n";
const RIGHT: &str = "def price(): return 3\n";
const BROKEN: &str = "def price(): return 4\n";

/// A tree, a checkout of the user and an environment beside them.
struct Scene {
    stage: Stage,
    user: PathBuf,
    venv: PathBuf,
}

impl Scene {
    /// The same files in both, but for the package itself.
    fn new(outer: &Path, files: &[(&str, &str)], package: &str) -> Self {
        let tools = with_program("python", outer.to_owned());
        let mut stage = Stage::new("pytest", &[("tests/test_a.py", TEST)], tools);
        let root = PathBuf::from(stage.root());
        let (user, at) = (root.join("user"), root.join("venv"));
        for (path, text) in files {
            stage.write(path, text);
            put(&user.join(path), text);
        }
        stage.write(package, BROKEN);
        put(&user.join(package), RIGHT);
        venv(outer, &at);
        stage.ask.tools = with_program("python", at.join("bin/python"));
        stage.ask.elsewhere = vec![user.clone()];
        Self { stage, user, venv: at }
    }

    fn pip(&self, args: &[&str]) {
        let mut all = vec!["-m", "pip", "install", "-q", "--no-index", "--no-deps"];
        all.push("--no-build-isolation");
        all.extend(args);
        python(&self.venv.join("bin/python"), &all, &self.user);
    }

    /// A file among the installed packages.
    fn package(&self, path: &str, text: &str) {
        let lib = self.venv.join("lib");
        let version = std::fs::read_dir(lib).unwrap().next().unwrap().unwrap();
        put(&version.path().join("site-packages").join(path), text);
    }

    fn suspect(&mut self) -> String {
        match self.stage.run().end {
            RunEnd::Suspect { note } => note,
            other => panic!("not suspect: {other:?}"),
        }
    }
}

fn put(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn is_red(report: &TestReport) {
    assert_eq!(report.end, RunEnd::Finished);
    let why = reason(report, "tests/test_a.py::test_price");
    assert!(matches!(why, Reason::Assertion { .. }), "{why:?}");
}

fn project(table: &str) -> String {
    format!(
        "[build-system]\nrequires = [\"setuptools\"]\nbuild-backend = \"setuptools.build_meta\"\n[project]\nname = \"shop\"\nversion = \"1\"\n{table}"
    )
}

/// The checkout is right and installed for development; the tree is broken, and must be red. Then the reverse.
fn editable(package: &str, table: &str, mode: &[&str]) {
    let Some(outer) = plugins() else { return };
    let mut scene = Scene::new(&outer, &[("pyproject.toml", &project(table))], package);
    let mut args = mode.to_vec();
    args.extend(["-e", "."]);
    scene.pip(&args);
    is_red(&scene.stage.run());
    scene.stage.write(package, RIGHT);
    put(&scene.user.join(package), BROKEN);
    assert_eq!(end(&scene.stage.finished(), "tests/test_a.py::test_price").word(), "passed");
}

const STRICT: [&str; 2] = ["--config-settings", "editable_mode=strict"];
const COMPAT: [&str; 2] = ["--config-settings", "editable_mode=compat"];

#[test]
fn an_editable_install_of_a_flat_checkout_is_not_what_is_tested() {
    editable("shop/__init__.py", "[tool.setuptools]\npackages = [\"shop\"]\n", &[]);
}

#[test]
fn an_editable_install_of_a_single_module_is_not_what_is_tested() {
    editable("shop.py", "[tool.setuptools]\npy-modules = [\"shop\"]\n", &[]);
}

#[test]
fn an_editable_install_of_a_source_folder_is_not_what_is_tested() {
    editable("src/shop/__init__.py", "", &[]);
}

#[test]
fn a_strict_editable_install_is_not_what_is_tested() {
    editable("src/shop/__init__.py", "", &STRICT);
}

#[test]
fn a_compatible_editable_install_of_an_odd_folder_is_not_what_is_tested() {
    editable(
        "lib/shop/__init__.py",
        "[tool.setuptools.packages.find]\nwhere = [\"lib\"]\n",
        &COMPAT,
    );
}

#[test]
fn an_editable_install_of_a_folder_with_another_name_is_turned_to_the_tree() {
    editable(
        "code/inside/__init__.py",
        "[tool.setuptools]\npackages = [\"shop\"]\n[tool.setuptools.package-dir]\nshop = \"code/inside\"\n",
        &[],
    );
}

#[test]
fn what_only_setup_py_knows_is_learnt_from_the_install() {
    let Some(outer) = plugins() else { return };
    let setup = "from setuptools import setup\nsetup(name='shop', version='1', packages=['shop'], package_dir={'': 'python'})\n";
    let child = "import subprocess, sys\ndef test_child():\n    out = subprocess.run([sys.executable, '-c', 'import shop; print(shop.price())'], capture_output=True, text=True)\n    assert out.stdout.strip() == '4', out\n";
    let files = [("setup.py", setup), ("tests/test_b.py", child)];
    let mut scene = Scene::new(&outer, &files, "python/shop/__init__.py");
    scene.pip(&["-e", "."]);
    let report = scene.stage.run();
    is_red(&report);
    // Programs that a test starts have the tree's code too.
    assert_eq!(end(&report, "tests/test_b.py::test_child").word(), "passed");
}

#[test]
fn a_module_that_only_the_checkout_has_makes_the_run_suspect() {
    let Some(outer) = plugins() else { return };
    let mut scene = Scene::new(&outer, &[("pyproject.toml", &project(""))], "src/shop/__init__.py");
    scene.pip(&["-e", "."]);
    std::fs::remove_dir_all(scene.stage.ask.tree.join("src")).unwrap();
    let note = scene.suspect();
    assert!(note.contains("user/src/shop/__init__.py"), "{note}");
    assert!(note.contains("another copy") && note.contains("[setup] run"), "{note}");
}

#[test]
fn a_plain_path_file_and_a_path_variable_lead_into_the_tree() {
    let Some(outer) = plugins() else { return };
    let mut scene = Scene::new(&outer, &[], "odd/shop.py");
    scene.package("user.pth", &format!("{}\n", scene.user.join("odd").display()));
    is_red(&scene.stage.run());
    scene.package("user.pth", "");
    let given = scene.user.join("odd").to_string_lossy().into_owned();
    scene.stage.ask.extra_env.insert("PYTHONPATH".to_owned(), given);
    is_red(&scene.stage.run());
}

#[test]
fn an_installed_release_is_suspect_where_the_tree_has_no_such_module() {
    let Some(outer) = plugins() else { return };
    let mut scene = Scene::new(&outer, &[("pyproject.toml", &project(""))], "src/shop/__init__.py");
    scene.pip(&["."]);
    is_red(&scene.stage.run());
    // The agent takes its own package away, so that the released one is found.
    std::fs::remove_dir_all(scene.stage.ask.tree.join("src")).unwrap();
    let note = scene.suspect();
    assert!(note.contains("installed release") && note.contains("shop"), "{note}");
}

#[test]
fn a_package_of_the_same_name_that_wins_over_the_trees_is_suspect() {
    let Some(outer) = plugins() else { return };
    let mut scene = Scene::new(&outer, &[], "shop/__init__.py");
    scene.package("shop/__init__.py", RIGHT);
    is_red(&scene.stage.run());
    let first = "import sys, sysconfig\nsys.path.insert(0, sysconfig.get_paths()['purelib'])\n";
    for conftest in [
        first.to_owned(),
        // It hides the traces of what it loaded.
        format!(
            "{first}import shop\nreal = shop.price\ndel sys.modules['shop']\nsys.path.pop(0)\nimport shop\nshop.price = real\n"
        ),
        format!("{first}import shop\nshop.__file__ = __file__\nshop.__spec__ = None\n"),
    ] {
        scene.stage.write("tests/conftest.py", &conftest);
        let note = scene.suspect();
        assert!(
            note.contains("shop was loaded from")
                && note.contains("same name") | note.contains("of that name"),
            "{note}"
        );
    }
}

#[test]
fn a_finder_that_comes_before_all_others_is_turned_or_suspect() {
    let Some(outer) = plugins() else { return };
    let mut scene = Scene::new(&outer, &[], "shop/__init__.py");
    let finder = |table: &str| {
        format!(
            "import sys, importlib.util\nclass First:\n    def __init__(self):\n        {table}\n    def find_spec(self, name, path=None, target=None):\n        if name == 'shop':\n            return importlib.util.spec_from_file_location(name, self.place())\nsys.meta_path.insert(0, First())\n"
        )
    };
    let file = scene.user.join("shop/__init__.py").display().to_string();
    scene.package("first.pth", "import _shop_first\n");
    let known =
        format!("self.known = {{'shop': '{file}'}}; self.place = lambda: self.known['shop']");
    scene.package("_shop_first.py", &finder(&known));
    is_red(&scene.stage.run());
    scene.package("_shop_first.py", &finder(&format!("self.place = lambda: '{file}'")));
    let note = scene.suspect();
    assert!(note.contains("user/shop/__init__.py"), "{note}");
}

#[test]
fn an_environment_inside_the_checkout_and_namespaces_of_others_are_no_wrong_code() {
    let Some(outer) = plugins() else { return };
    let test = "import other, acme.ours, acme.theirs\ndef test_price(): assert other and acme.ours.x + acme.theirs.x == 3\n";
    let mut scene = Scene::new(&outer, &[("acme/ours.py", "x = 1\n")], "shop.py");
    scene.stage.write("tests/test_a.py", test);
    let inside = scene.user.join(".venv");
    venv(&outer, &inside);
    scene.venv.clone_from(&inside);
    scene.stage.ask.tools = with_program("python", inside.join("bin/python"));
    scene.package("other/__init__.py", "");
    scene.package("acme/theirs.py", "x = 2\n");
    scene.stage.finished();
    // Another distribution's portion of the same namespace, with a module that the tree has too.
    scene.package("acme/ours.py", "x = 1\n");
    scene.stage.finished();
}
