//! `cargo xtask dist`: one binary, and every channel that it goes out by, into `target/dist`. Knows the channels by name; what a
//! package looks like is known beside it.

mod archive;
mod binary;
mod deb;
mod image;
mod npm;
mod pack;
mod room;
mod sbom;
mod trial;
mod wheel;

use crate::tree::root;
use anyhow::{Context, Result, bail};
use binary::{Binary, Machine};
use pack::Entry;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

pub use archive::archive_name;

const CHANNELS: [&str; 5] = ["archive", "wheel", "npm", "deb", "image"];

/// What is asked for.
pub struct Wish {
    channels: Vec<String>,
    /// Whether they are made, or those that were made are tried.
    tried: bool,
    machine: Machine,
    binary: Option<PathBuf>,
    out: PathBuf,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self> {
        let out = root()?.join("target/dist");
        let mut wish = Self {
            channels: Vec::new(),
            tried: false,
            machine: Machine::find(None)?,
            binary: None,
            out,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().copied().with_context(|| format!("{word} wants a value"));
            match *word {
                "--machine" => wish.machine = Machine::find(Some(value()?))?,
                "--binary" => wish.binary = Some(PathBuf::from(value()?)),
                "--out" => wish.out = std::path::absolute(value()?)?,
                "try" => wish.tried = true,
                name if CHANNELS.contains(&name) => wish.channels.push(name.to_owned()),
                other => {
                    bail!("dist does not know `{other}`; the channels are {}", CHANNELS.join(", "))
                }
            }
        }
        if wish.channels.is_empty() {
            wish.channels = CHANNELS.map(str::to_owned).to_vec();
        }
        Ok(wish)
    }

    pub fn place(&self) -> &Path {
        &self.out
    }

    pub fn machine(&self) -> Machine {
        self.machine
    }
}

/// A file that goes out.
pub struct Made {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What the workspace says about itself.
pub struct Facts {
    pub root: PathBuf,
    pub version: String,
    pub summary: String,
    pub licence: String,
    pub repository: String,
}

impl Facts {
    pub fn read() -> Result<Self> {
        let root = root()?;
        let facts = |path: &str| -> Result<toml::Table> {
            let text = std::fs::read_to_string(root.join(path))
                .with_context(|| format!("{path} can't be read"))?;
            toml::from_str(&text).with_context(|| format!("{path} is not TOML"))
        };
        let (workspace, cli) = (facts("Cargo.toml")?, facts("crates/cli/Cargo.toml")?);
        let text = |value: Option<&toml::Value>| {
            value.and_then(toml::Value::as_str).unwrap_or_default().to_owned()
        };
        let package = &workspace["workspace"]["package"];
        Ok(Self {
            version: text(package.get("version")),
            summary: text(cli["package"].get("description")),
            licence: text(package.get("license")),
            repository: text(package.get("repository")),
            root,
        })
    }

    pub fn file(&self, path: &str) -> Result<String> {
        std::fs::read_to_string(self.root.join(path))
            .with_context(|| format!("{path} can't be read"))
    }

    pub fn readme(&self) -> Result<String> {
        self.file("packaging/README.md")
    }

    pub fn licences(&self) -> Result<Vec<Entry>> {
        ["LICENSE-APACHE", "LICENSE-MIT"]
            .into_iter()
            .map(|name| Ok(Entry::file(name, self.file(name)?)))
            .collect()
    }
}

/// What the program writes about itself.
pub struct Extras {
    pub manual: Vec<u8>,
    pub bash: Vec<u8>,
    pub zsh: Vec<u8>,
    pub fish: Vec<u8>,
}

impl Extras {
    fn ask(program: &Path) -> Result<Self> {
        let say = |words: &[&str]| -> Result<Vec<u8>> {
            let out = Command::new(program).args(words).output();
            let out = out.with_context(|| {
                format!(
                    "{} does not start here\nhint: pack on a machine of its own kind",
                    program.display()
                )
            })?;
            if !out.status.success() {
                bail!(
                    "proctor {}: {}",
                    words.join(" "),
                    String::from_utf8_lossy(&out.stderr).trim()
                );
            }
            Ok(out.stdout)
        };
        let shell = |name| say(&["completions", name]);
        Ok(Self {
            manual: say(&["man"])?,
            bash: shell("bash")?,
            zsh: shell("zsh")?,
            fish: shell("fish")?,
        })
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let facts = Facts::read()?;
    let tools = set_up(&facts.root)?;
    if wish.tried {
        return trial::run(&facts, wish.machine, &wish.out, &tools, &wish.channels);
    }
    let mut talk = std::io::stdout().lock();
    for made in make(wish, &facts, &tools)? {
        writeln!(talk, "{:>10}  {}", made.bytes.len(), wish.out.join(&made.name).display())?;
    }
    if wish.channels.iter().any(|name| name == "image") {
        writeln!(talk, "{}", image::image(&facts, wish.machine, &wish.out, &tools)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Everything that was asked for, written down, with the list of digests.
fn make(wish: &Wish, facts: &Facts, tools: &Path) -> Result<Vec<Made>> {
    let binary = match &wish.binary {
        Some(path) => Binary::read(path, wish.machine)?,
        None => Binary::build(wish.machine, tools)?,
    };
    std::fs::create_dir_all(&wish.out)
        .with_context(|| format!("{} can't be made", wish.out.display()))?;
    let program = tempfile::tempdir()?;
    let path = program.path().join("proctor");
    write_program(&path, &binary.bytes)?;
    let extras = Extras::ask(&path)?;
    let mut all = Vec::new();
    for channel in &wish.channels {
        let made = match channel.as_str() {
            "archive" => vec![
                archive::archive(facts, &binary, &extras)?,
                archive::parts_list(facts, wish.machine)?,
                archive::installer(facts)?,
            ],
            "wheel" => vec![wheel::wheel(facts, &binary)?],
            "npm" => vec![npm::platform(facts, &binary)?],
            "deb" => vec![deb::deb(facts, &binary, &extras)?],
            _ => Vec::new(),
        };
        all.extend(made);
    }
    for made in &all {
        write(&wish.out, made)?;
    }
    if wish.channels.iter().any(|name| name == "npm") {
        let launcher = npm::launcher(facts, &npm::packed(facts, &wish.out))?;
        write(&wish.out, &launcher)?;
        all.push(launcher);
    }
    write(&wish.out, &digests(&wish.out)?)?;
    Ok(all)
}

fn write(out: &Path, made: &Made) -> Result<()> {
    let path = out.join(&made.name);
    std::fs::write(&path, &made.bytes)
        .with_context(|| format!("{} can't be written", path.display()))
}

fn write_program(path: &Path, bytes: &[u8]) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, bytes)?;
    Ok(std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?)
}

/// The digest of each file that goes out, as `sha256sum -c` reads them.
fn digests(out: &Path) -> Result<Made> {
    let mut text = String::new();
    let mut names: Vec<String> = std::fs::read_dir(out)?
        .filter_map(|file| {
            file.ok().filter(|file| file.path().is_file())?.file_name().into_string().ok()
        })
        .filter(|name| name != "SHA256SUMS")
        .collect();
    names.sort();
    for name in names {
        writeln!(text, "{}  {name}", digest(&std::fs::read(out.join(&name))?))?;
    }
    Ok(Made { name: "SHA256SUMS".to_owned(), bytes: text.into_bytes() })
}

pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What packing needs, in a folder of its own.
fn set_up(root: &Path) -> Result<PathBuf> {
    let ended = Command::new(root.join("scripts/setup-dist")).current_dir(root).status();
    if !ended.context("scripts/setup-dist can't be started")?.success() {
        bail!("scripts/setup-dist failed");
    }
    Ok(root.join("target/tools/dist/bin"))
}
