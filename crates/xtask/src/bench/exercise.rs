//! A small shop, made anew for a measurement: four modules with 100 tests at the base, and a branch that adds a fifth with
//! tests of its own. One of the new tests is missing on purpose, so that something survives. It measures nothing.

use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The modules that do not change.
const MODULES: [&str; 4] = ["dates", "names", "prices", "stock"];
const PYPROJECT: &str = "[project]\nname = \"shop\"\nversion = \"0.1.0\"\n\n[tool.pytest.ini_options]\npythonpath = [\".\"]\ntestpaths = [\"tests\"]\n";
const CARGO: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const GO: &str = "module example.com/shop\n\ngo 1.19\n";
const PACKAGE: &str =
    "{\"name\": \"shop\", \"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n";
const LOCK: &str = "version = 4\n\n[[package]]\nname = \"shop\"\nversion = \"0.1.0\"\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tongue {
    Python,
    Rust,
    Go,
    Node,
}

impl Tongue {
    /// The file that the branch adds.
    pub fn changed(self) -> &'static str {
        match self {
            Self::Python => "shop/billing.py",
            Self::Rust => "src/billing.rs",
            Self::Go => "billing/billing.go",
            Self::Node => "shop/billing.js",
        }
    }
}

/// A repository with the branches `main` and `work`; `work` is checked out.
pub struct Exercise {
    folder: tempfile::TempDir,
}

impl Exercise {
    pub fn make(tongue: Tongue) -> Result<Self> {
        // Not below the workspace: cargo would take a crate in there for a lost member of it.
        let own = Self { folder: tempfile::tempdir().context("no folder for the exercise")? };
        fs::create_dir(own.path()).context("no folder for the exercise")?;
        own.git(&["init", "--quiet", "--initial-branch=main"])?;
        match tongue {
            Tongue::Python => own.python()?,
            Tongue::Rust => own.rust()?,
            Tongue::Go => own.go()?,
            Tongue::Node => own.node()?,
        }
        Ok(own)
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    /// A folder beside the repository.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the branch changed, as a file.
    pub fn diff(&self) -> Result<PathBuf> {
        let mut command = Command::new("git");
        command.args(["diff", "main", "work"]).current_dir(self.path());
        let out = command.output().context("git did not start")?;
        let path = self.beside("work.diff");
        fs::write(&path, out.stdout).context("could not write the diff")?;
        Ok(path)
    }

    fn python(&self) -> Result<()> {
        self.put("pyproject.toml", PYPROJECT)?;
        self.put("shop/__init__.py", "")?;
        self.put("tests/__init__.py", "")?;
        let test = include_str!("exercise/test_module.py");
        for module in MODULES {
            self.put(&format!("shop/{module}.py"), include_str!("exercise/module.py"))?;
            self.put(&format!("tests/test_{module}.py"), &test.replace("MODULE", module))?;
        }
        self.commit("A shop")?;
        self.git(&["switch", "--quiet", "--create", "work"])?;
        self.put(Tongue::Python.changed(), include_str!("exercise/billing.py"))?;
        self.put("tests/test_billing.py", include_str!("exercise/test_billing.py"))?;
        self.commit("Add billing")
    }

    fn rust(&self) -> Result<()> {
        let mut all = String::new();
        for module in MODULES {
            let _ = writeln!(all, "pub mod {module};");
            self.put(&format!("src/{module}.rs"), include_str!("exercise/module.rs.txt"))?;
        }
        self.put("Cargo.toml", CARGO)?;
        self.put("Cargo.lock", LOCK)?;
        self.put(".gitignore", "target\n")?;
        self.put("src/lib.rs", &all)?;
        self.commit("A shop")?;
        self.git(&["switch", "--quiet", "--create", "work"])?;
        self.put("src/lib.rs", &format!("pub mod billing;\n{all}"))?;
        self.put(Tongue::Rust.changed(), include_str!("exercise/billing.rs.txt"))?;
        self.put("tests/billing.rs", include_str!("exercise/test_billing.rs.txt"))?;
        self.commit("Add billing")
    }

    fn go(&self) -> Result<()> {
        self.put("go.mod", GO)?;
        for module in MODULES {
            let code = include_str!("exercise/module.go.txt").replace("MODULE", module);
            self.put(&format!("{module}/{module}.go"), &code)?;
            let test = include_str!("exercise/test_module.go.txt").replace("MODULE", module);
            self.put(&format!("{module}/{module}_test.go"), &test)?;
        }
        self.commit("A shop")?;
        self.git(&["switch", "--quiet", "--create", "work"])?;
        self.put(Tongue::Go.changed(), include_str!("exercise/billing.go.txt"))?;
        self.put("billing/billing_test.go", include_str!("exercise/test_billing.go.txt"))?;
        self.commit("Add billing")
    }

    fn node(&self) -> Result<()> {
        self.put("package.json", PACKAGE)?;
        let test = include_str!("exercise/test_module.js.txt");
        for module in MODULES {
            self.put(&format!("shop/{module}.js"), include_str!("exercise/module.js.txt"))?;
            self.put(&format!("test/{module}.test.js"), &test.replace("MODULE", module))?;
        }
        self.commit("A shop")?;
        self.git(&["switch", "--quiet", "--create", "work"])?;
        self.put(Tongue::Node.changed(), include_str!("exercise/billing.js.txt"))?;
        self.put("test/billing.test.js", include_str!("exercise/test_billing.js.txt"))?;
        self.commit("Add billing")
    }

    pub fn put(&self, path: &str, text: &str) -> Result<()> {
        let path = self.path().join(path);
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .with_context(|| format!("could not write {}", path.display()))
    }

    fn commit(&self, subject: &str) -> Result<()> {
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "--message", subject])
    }

    pub fn git(&self, words: &[&str]) -> Result<()> {
        let name = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
        let mut command = Command::new("git");
        command.args(name).args(words).current_dir(self.path()).stdout(Stdio::null());
        let status = command.status().context("git did not start")?;
        if !status.success() {
            bail!("git {words:?} ended with {status}");
        }
        Ok(())
    }
}
