//! `cargo xtask dist try`: each package, installed in a clean room as its users would, `proctor demo`, `proctor verify` on a small
//! repository, and uninstalled. Says what came of it in a table, and fails where anything did not work.

use crate::dist::binary::Machine;
use crate::dist::room::Room;
use crate::dist::{Facts, archive_name, digest, npm};
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// What came of one channel, in seconds.
struct Row {
    name: &'static str,
    installed: f64,
    demo: f64,
    verified: f64,
}

struct Trial<'a> {
    facts: &'a Facts,
    machine: Machine,
    out: &'a Path,
    tools: &'a Path,
}

pub fn run(
    facts: &Facts,
    machine: Machine,
    out: &Path,
    tools: &Path,
    channels: &[String],
) -> Result<ExitCode> {
    let trial = Trial { facts, machine, out, tools };
    let mut talk = std::io::stdout().lock();
    writeln!(talk, "{:10} {:>10} {:>8} {:>8}   seconds", "channel", "installed", "demo", "verify")?;
    let mut good = true;
    for channel in channels {
        let tried = match channel.as_str() {
            "archive" => trial.archive(),
            "wheel" => trial.wheel(),
            "npm" => trial.npm(),
            "deb" => trial.deb(),
            _ => continue,
        };
        match tried {
            Ok(Row { name, installed, demo, verified }) => {
                writeln!(
                    talk,
                    "{name:10} {installed:10.1} {demo:8.1} {verified:8.1}   nothing left"
                )?;
            }
            Err(why) => {
                good = false;
                writeln!(talk, "{channel:10} failed: {why:#}")?;
            }
        }
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Trial<'_> {
    /// The one file in `target/dist` of this shape.
    fn made(&self, start: &str, end: &str) -> Result<PathBuf> {
        let all = std::fs::read_dir(self.out)
            .with_context(|| format!("{} can't be read", self.out.display()))?;
        all.filter_map(|file| Some(file.ok()?.path()))
            .find(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.starts_with(start) && name.ends_with(end)
            })
            .with_context(|| {
                format!("there is no {start}…{end}\nhint: `cargo xtask dist` makes it")
            })
    }

    /// python and uv; pytest as a project would have it, in its environment.
    fn wheel(&self) -> Result<Row> {
        let wheel = self.made("proctor-", &format!("{}.whl", self.machine.wheel))?;
        let wheel = text(&wheel)?;
        let mut room = Room::with(&["git", "python3", "uv", "uvx"], self.tools)?;
        let home = room.at("home");
        let venv = room.at("venv");
        room.must(
            &home,
            &[
                "uv",
                "venv",
                "--offline",
                "--system-site-packages",
                "--python",
                "python3",
                text(&venv)?,
            ],
        )?;
        room.look_in(venv.join("bin"));
        // From nothing to the end of the demo in one command.
        let demo = room.must(
            &home,
            &["uvx", "--offline", "--from", wheel, "proctor", "demo", "--lang", "python"],
        )?;
        lands(&demo.said)?;
        let python = text(&venv)?.to_owned() + "/bin/python";
        let installed =
            room.must(&home, &["uv", "pip", "install", "--offline", "--python", &python, wheel])?;
        self.is_ours(&room)?;
        let verified = verified(&room, Kind::Python)?;
        room.must(&home, &["uv", "pip", "uninstall", "--python", &python, "proctor"])?;
        nothing_left(&room)?;
        Ok(Row { name: "wheel", installed: installed.seconds, demo: demo.seconds, verified })
    }

    /// node and npm.
    fn npm(&self) -> Result<Row> {
        let launcher = self.out.join(format!("proctor-{}.tgz", self.facts.version));
        let program = self.out.join(npm::platform_file(self.facts, self.machine));
        let mut room = Room::with(&["git", "node", "npm", "npx", "sh"], self.tools)?;
        let (home, prefix) = (room.at("home"), room.at("global"));
        let (launcher, program, folder) =
            (text(&launcher)?, text(&program)?, text(&prefix)?.to_owned());
        let words = [
            "npx",
            "--yes",
            "--offline",
            "--package",
            launcher,
            "--package",
            program,
            "proctor",
            "demo",
            "--lang",
            "javascript",
        ];
        let demo = room.must(&home, &words)?;
        lands(&demo.said)?;
        let installed = room.must(
            &home,
            &["npm", "install", "--offline", "--global", "--prefix", &folder, launcher, program],
        )?;
        room.look_in(prefix.join("bin"));
        self.is_ours(&room)?;
        let verified = verified(&room, Kind::Node)?;
        room.must(
            &home,
            &[
                "npm",
                "uninstall",
                "--global",
                "--prefix",
                &folder,
                "proctor",
                "@proctor-dev/linux-x64",
            ],
        )?;
        nothing_left(&room)?;
        Ok(Row { name: "npm", installed: installed.seconds, demo: demo.seconds, verified })
    }

    /// Nothing but what every machine has; the installer of the release takes the archive from a folder of this machine.
    fn archive(&self) -> Result<Row> {
        let name = archive_name(self.machine);
        let mut room = Room::with(&INSTALLING, self.tools)?;
        let releases = room.at("home/releases");
        let release = releases.join(format!("v{}", self.facts.version));
        std::fs::create_dir_all(&release)?;
        let bytes =
            std::fs::read(self.out.join(&name)).with_context(|| format!("{name} is not there"))?;
        std::fs::write(release.join(&name), &bytes)?;
        let script = std::fs::read_to_string(self.out.join("install.sh"))?;
        let pinned = crate::release::pinned(&script, &self.facts.version, &digest(&bytes));
        let home = room.at("home");
        std::fs::write(home.join("install.sh"), pinned)?;
        let (from, to) =
            (format!("PROCTOR_RELEASES=file://{}", releases.display()), room.at("own"));
        let to_bin = format!("PROCTOR_BIN={}", to.display());
        let install = ["env", &from, &to_bin, "sh", "install.sh"];
        let installed = room.must(&home, &install)?;
        // Another binary under the same name is not installed.
        std::fs::write(release.join(&name), b"another")?;
        let forged = room.run(&home, &install)?;
        if forged.code != Some(1) || !forged.said.contains("nothing was installed") {
            bail!("another binary was not refused:\n{}", forged.said);
        }
        room.look_in(to.clone());
        self.is_ours(&room)?;
        let (demo, verified) = self.with_python(&mut room)?;
        std::fs::remove_file(to.join("proctor"))?;
        nothing_left(&room)?;
        Ok(Row { name: "archive", installed: installed.seconds, demo, verified })
    }

    /// dpkg with a root and a list of packages of its own.
    fn deb(&self) -> Result<Row> {
        let package = self.made("proctor_", &format!("{}.deb", self.machine.deb))?;
        let mut room = Room::with(&["git"], self.tools)?;
        let system = room.at("root");
        for folder in ["updates", "info"] {
            std::fs::create_dir_all(system.join("var/lib/dpkg").join(folder))?;
        }
        std::fs::write(system.join("var/lib/dpkg/status"), "")?;
        let dpkg = |words: &[&str]| -> Result<()> {
            let mut command = Command::new("dpkg");
            // Its dependencies are this machine's, which that list does not know.
            command.args([
                "--force-depends",
                "--force-not-root",
                "--force-script-chrootless",
                "--log=/dev/null",
            ]);
            command.arg(format!("--root={}", system.display())).args(words).stdin(Stdio::null());
            let out = command.output().context("dpkg did not start")?;
            if !out.status.success() {
                bail!("dpkg {}: {}", words.join(" "), String::from_utf8_lossy(&out.stderr).trim());
            }
            Ok(())
        };
        let began = std::time::Instant::now();
        dpkg(&["--install", text(&package)?])?;
        let installed = began.elapsed().as_secs_f64();
        for path in
            ["usr/share/man/man1/proctor.1.gz", "usr/share/bash-completion/completions/proctor"]
        {
            if !system.join(path).is_file() {
                bail!("{path} was not installed");
            }
        }
        room.look_in(system.join("usr/bin"));
        self.is_ours(&room)?;
        let (demo, verified) = self.with_python(&mut room)?;
        dpkg(&["--purge", "proctor"])?;
        nothing_left(&room)?;
        Ok(Row { name: "deb", installed, demo, verified })
    }

    /// The demo and a verify where the project brings python and pytest along.
    fn with_python(&self, room: &mut Room) -> Result<(f64, f64)> {
        let without = room.run(&room.at("home"), &["proctor", "demo"])?;
        if without.code != Some(4) || !without.said.contains("hint:") {
            bail!("a demo without any tool does not say what is missing:\n{}", without.said);
        }
        let python = Room::with(&["python3"], self.tools)?;
        room.look_in(python.at("bin"));
        let demo = room.must(&room.at("home"), &["proctor", "demo", "--lang", "python"])?;
        lands(&demo.said)?;
        Ok((demo.seconds, verified(room, Kind::Python)?))
    }

    fn is_ours(&self, room: &Room) -> Result<()> {
        let told = room.must(&room.at("home"), &["proctor", "--version"])?;
        if told.said.trim() != format!("proctor {}", self.facts.version) {
            bail!("it says that it is `{}`", told.said.trim());
        }
        Ok(())
    }
}

/// What a machine without any language has.
const INSTALLING: [&str; 16] = [
    "git",
    "sh",
    "env",
    "curl",
    "tar",
    "gzip",
    "sha256sum",
    "cut",
    "uname",
    "mktemp",
    "mkdir",
    "rm",
    "cp",
    "mv",
    "cat",
    "printf",
];

#[derive(Clone, Copy)]
enum Kind {
    Python,
    Node,
}

/// How long a verify took that had to prove a fix.
fn verified(room: &Room, kind: Kind) -> Result<f64> {
    let repo = match kind {
        Kind::Python => room.repository(
            &[
                ("calc.py", "def twice(n):\n    return n + 2\n"),
                ("test_calc.py", "from calc import twice\n\n\ndef test_two():\n    assert twice(2) == 4\n"),
            ],
            &[
                ("calc.py", "def twice(n):\n    return n * 2\n"),
                ("test_twice.py", "from calc import twice\n\n\ndef test_five():\n    assert twice(5) == 10\n"),
            ],
        ),
        Kind::Node => room.repository(
            &[
                ("package.json", "{ \"name\": \"calc\", \"type\": \"module\", \"scripts\": { \"test\": \"node --test\" } }\n"),
                ("calc.js", "export const twice = (n) => n + 2;\n"),
                ("calc.test.js", NODE_TEST),
            ],
            &[
                ("calc.js", "export const twice = (n) => n * 2;\n"),
                ("twice.test.js", &NODE_TEST.replace("twice(2), 4", "twice(5), 10").replace("'two'", "'five'")),
            ],
        ),
    }?;
    let told = room.must(&repo, &["proctor", "verify", "--base", "main", "--head", "fix"])?;
    if !told.said.contains("proven") {
        bail!("a fix was not proven:\n{}", told.said);
    }
    Ok(told.seconds)
}

const NODE_TEST: &str = "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { twice } from './calc.js';\n\n\
    test('two', () => assert.equal(twice(2), 4));\n";

fn lands(said: &str) -> Result<()> {
    if said.contains("red before, green now") {
        return Ok(());
    }
    bail!("the demo did not come to its end:\n{said}")
}

fn nothing_left(room: &Room) -> Result<()> {
    match room.left()?.as_slice() {
        [] => Ok(()),
        left => bail!("left behind: {}", left.join(", ")),
    }
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))
}
