//! What `proctor doctor` says about test tools: which a run would use and why, whether each works here, and what measures
//! coverage. A tool that a run needs and that does not work is a fault; the rest is only worth knowing.

use crate::commands::doctor::{Finding, Health, bad, good, note};
use proctor_desk::config::Config;
use proctor_desk::probe::Probe;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::harmless::one_line;
use proctor_lang::FolderTree;
use proctor_tools::detect;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

pub(crate) struct Tools<'a> {
    pub(crate) around: &'a Surroundings,
    pub(crate) probe: &'a Probe,
    pub(crate) root: &'a Path,
}

/// A folder and the tool that its tests would be run with.
struct Wanted {
    dir: String,
    runner: String,
    why: String,
}

impl Tools<'_> {
    pub(crate) fn check(&self, config: &Config, findings: &mut Vec<Finding>) {
        let wanted = self.wanted(config);
        if wanted.is_empty() {
            findings.push(bad(
                "test tool",
                &format!(
                    "none was found in this repository\nhint: set runner or test_cmd in proctor.toml, or add a first test; known are {}",
                    proctor_tools::RUNNERS.join(", ")
                ),
            ));
        }
        for one in &wanted {
            let place = if one.dir.is_empty() { String::new() } else { format!(" in {}", one.dir) };
            findings.push(good("test tool", format!("{}{place}", one.why)));
        }
        let needs = |names: &[&str]| {
            let needed = wanted.iter().any(|one| names.contains(&one.runner.as_str()));
            if needed { Health::Bad } else { Health::Note }
        };
        self.python(needs(&["pytest"]), findings);
        self.cargo(needs(&["cargo"]), findings);
        for one in &wanted {
            match one.runner.as_str() {
                "go" => self.version("go", &["version"], "https://go.dev/dl", findings),
                "maven" => {
                    self.version(
                        "mvn",
                        &["-B", "-Dstyle.color=never", "--version"],
                        "https://maven.apache.org",
                        findings,
                    );
                }
                "bun" => self.version("bun", &["--version"], "https://bun.sh", findings),
                "deno" => self.version("deno", &["--version"], "https://deno.com", findings),
                name if package_of(name).is_some() => self.script(one, findings),
                _ => {}
            }
        }
    }

    /// As a run would choose: what is named for the whole repository, then the named projects, then what is found.
    fn wanted(&self, config: &Config) -> Vec<Wanted> {
        let subdir = config.subdir.clone().unwrap_or_default();
        let configured = |dir: &str, runner: &str| Wanted {
            dir: dir.to_owned(),
            runner: runner.to_owned(),
            why: format!("{runner}, as configured"),
        };
        let of_command = config.test_cmd.as_ref().and_then(|words| {
            let argv = words.split("test_cmd").ok()?;
            proctor_tools::from_command(&argv).ok().map(|command| command.runner.to_owned())
        });
        let tree = FolderTree::new(self.root);
        let found = |dir: &str| {
            detect(&tree, dir).into_iter().map(|f| Wanted {
                dir: f.dir,
                runner: f.runner.to_owned(),
                why: f.why,
            })
        };
        if let Some(runner) = config.runner.clone().or(of_command) {
            let named: Vec<Wanted> = found(&subdir).filter(|one| one.runner == runner).collect();
            return if named.is_empty() { vec![configured(&subdir, &runner)] } else { named };
        }
        if config.project.is_empty() {
            return found(&subdir).collect();
        }
        let of_table = |table: &proctor_desk::config::ProjectTable| match &table.runner {
            Some(runner) => Some(configured(&table.dir, runner)),
            None => found(table.dir.trim_start_matches("./")).next(),
        };
        config.project.iter().filter_map(of_table).collect()
    }

    pub(crate) fn python(&self, missing: Health, findings: &mut Vec<Finding>) {
        let venv = [".venv/bin/python", "venv/bin/python"]
            .map(|path| self.root.join(path))
            .into_iter()
            .find(|path| path.exists());
        let active = || {
            let folder = PathBuf::from(self.around.var("VIRTUAL_ENV")?);
            Some(folder.join("bin/python")).filter(|path| path.exists())
        };
        let on_path = || self.program("python3").or_else(|| self.program("python"));
        let Some(python) = venv.or_else(active).or_else(on_path) else {
            findings.push(Finding {
                health: missing,
                ..bad(
                    "python",
                    "not found\nhint: install python3, or make a virtualenv .venv in the repository",
                )
            });
            return;
        };
        let shown = python.display();
        findings.push(match self.says(&python, &["-m", "pytest", "--version"]) {
            Ok(version) => good("pytest", format!("{} ({shown})", one_line(&version))),
            Err(_) if proctor_tools::only_unittest(&FolderTree::new(self.root), "") => {
                good("unittest", format!("runs the tests, since pytest is not installed ({shown})"))
            }
            Err(why) => Finding {
                health: missing,
                ..bad(
                    "pytest",
                    &format!(
                        "{shown} can't run it: {}\nhint: `{shown} -m pip install pytest`",
                        one_line(&why)
                    ),
                )
            },
        });
        if missing == Health::Bad {
            let measured = self.says(&python, &["-m", "coverage", "--version"]);
            findings.push(coverage(
                "coverage.py",
                measured,
                &format!("{shown} -m pip install coverage"),
            ));
        }
    }

    fn cargo(&self, missing: Health, findings: &mut Vec<Finding>) {
        let Some(cargo) = self.program("cargo") else {
            findings.push(Finding {
                health: missing,
                ..bad("cargo", "not found\nhint: install Rust from https://rustup.rs")
            });
            return;
        };
        findings.push(good("cargo", cargo.display().to_string()));
        let beside =
            |name: &str| cargo.with_file_name(name).exists() || self.program(name).is_some();
        findings.push(if beside("cargo-nextest") {
            good("nextest", "cargo nextest is installed")
        } else {
            Finding {
                remedy: Some(
                    "`cargo install cargo-nextest --locked` makes test runs faster".to_owned(),
                ),
                ..note("nextest", "not installed; plain `cargo test` is used")
            }
        });
        if missing == Health::Bad {
            let measured = self.llvm_tools().ok_or_else(|| "not installed".to_owned());
            findings.push(coverage("llvm-tools", measured, "rustup component add llvm-tools"));
        }
    }

    /// Where the toolchain keeps the programs that read coverage.
    fn llvm_tools(&self) -> Option<String> {
        let sysroot = self.says(&self.program("rustc")?, &["--print", "sysroot"]).ok()?;
        let targets = std::fs::read_dir(Path::new(sysroot.trim()).join("lib/rustlib")).ok()?;
        let found = targets.flatten().map(|target| target.path().join("bin/llvm-profdata"));
        found.into_iter().find(|path| path.is_file()).map(|path| path.display().to_string())
    }

    /// A tool of a package.json: node itself, and the tool among the installed packages.
    fn script(&self, one: &Wanted, findings: &mut Vec<Finding>) {
        self.version("node", &["--version"], "https://nodejs.org", findings);
        let Some(name) = package_of(&one.runner).filter(|name| *name != "node") else { return };
        let folders = Path::new(&one.dir).ancestors().map(|above| self.root.join(above));
        let installed = |name: &str| {
            folders.clone().any(|folder| folder.join("node_modules").join(name).is_dir())
        };
        findings.push(if installed(name) {
            good(name, "installed in node_modules")
        } else {
            bad(name, "not in node_modules\nhint: install the packages with `npm ci`, or name that command in [setup] run")
        });
        if proctor_tools::package_of(name).is_some() {
            let measured = installed("c8").then(|| "installed".to_owned());
            let measured = measured.ok_or_else(|| "not installed".to_owned());
            findings.push(coverage("c8", measured, "npm install --save-dev c8"));
        }
        if one.runner == "vitest" {
            let measured = (installed("@vitest/coverage-v8")
                || installed("@vitest/coverage-istanbul"))
            .then(|| "installed".to_owned())
            .ok_or_else(|| "not installed".to_owned());
            let install = "npm install --save-dev @vitest/coverage-v8";
            findings.push(coverage("@vitest/coverage-v8", measured, install));
        }
    }

    fn version(&self, name: &'static str, args: &[&str], home: &str, findings: &mut Vec<Finding>) {
        if findings.iter().any(|finding| finding.name == name) {
            return;
        }
        let said = match self.program(name) {
            Some(program) => self.says(&program, args),
            None => Err(format!("not found\nhint: install it from {home}, or put it on the PATH")),
        };
        findings.push(match said {
            Ok(text) => good(name, one_line(text.lines().next().unwrap_or_default())),
            Err(why) => bad(name, &why),
        });
    }

    fn program(&self, name: &str) -> Option<PathBuf> {
        self.around.program(name, self.root)
    }

    fn says(&self, program: &Path, args: &[&str]) -> Result<String, String> {
        let line: Vec<&OsStr> =
            std::iter::once(program.as_os_str()).chain(args.iter().map(OsStr::new)).collect();
        self.probe.says(&line)
    }
}

/// The package of npm that a tool is; none for tools of other languages.
fn package_of(runner: &str) -> Option<&'static str> {
    match runner {
        "vitest" => Some("vitest"),
        "jest" => Some("jest"),
        "node" => Some("node"),
        other => proctor_tools::package_of(other),
    }
}

/// Coverage is measured only where it is asked for, so that its tool is never a must.
fn coverage(tool: &'static str, said: Result<String, String>, install: &str) -> Finding {
    match said {
        Ok(said) => good(
            "coverage",
            format!("{tool}: {}", one_line(said.lines().next().unwrap_or_default())),
        ),
        Err(_) => Finding {
            remedy: Some(format!("`{install}`")),
            ..note("coverage", format!("{tool} is not installed; --coverage would not be measured"))
        },
    }
}
