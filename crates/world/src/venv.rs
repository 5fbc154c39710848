//! Python environments: reading where one keeps its packages, and writing a layer of a run's own above it, so that
//! everything installed there can be imported while new packages go into the layer. Starts no process. Must never
//! write into the environment below.

use crate::tree::{TreeError, at};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Sorted after every other name, since Python reads these files in order of name: what is installed into the layer
/// comes before what is below it.
const BELOW: &str = "zzz-proctor-below.pth";

/// How many environments may be made from one another before it is taken for a circle.
const DEEPEST: usize = 8;

#[derive(Debug, thiserror::Error)]
pub enum VenvError {
    #[error(
        "{} is not a Python interpreter: {why}\nhint: name the program itself, as `sys.executable` gives it", path.display()
    )]
    NotPython { path: PathBuf, why: &'static str },
    #[error("could not find the version of {}: no lib/pythonX.Y is beside it", python.display())]
    NoVersion { python: PathBuf },
    #[error("the path {} can't be written into a Python environment: it is not UTF-8, or has a line break", path.display())]
    BadPath { path: PathBuf },
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// A Python environment or installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Venv {
    pub prefix: PathBuf,
    /// The interpreter to start for this environment.
    pub python: PathBuf,
    /// The folder of the real interpreter.
    pub home: PathBuf,
    /// `X.Y`.
    pub version: String,
    /// `X.Y.Z`, where it is written down.
    pub full_version: Option<String>,
    /// Where its packages are, in the order in which Python looks. Those of the installation below are among them
    /// where the environment includes them.
    pub site_packages: Vec<PathBuf>,
}

/// What a layer is made of.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// The interpreter of the environment below, or the real one.
    pub python: &'a Path,
    /// Folders of the tree that come before everything from below, such as those that `paths_into` found there.
    pub first: &'a [PathBuf],
    /// Where packages are imported from that are not in the layer.
    pub below: &'a [PathBuf],
}

/// Reads an environment (`.venv`) or an installation (`/usr`). `None` where there is no Python in it.
pub fn describe(prefix: &Path) -> Option<Venv> {
    let python = interpreter_in(prefix)?;
    let version = version_in(prefix, &python)?;
    let own = prefix.join(format!("lib/python{version}"));
    let Some(config) = Config::read(prefix) else {
        let home = python.parent()?.to_owned();
        let site_packages = installed(prefix, &version);
        let prefix = prefix.to_owned();
        return Some(Venv { prefix, python, home, version, full_version: None, site_packages });
    };
    let home = PathBuf::from(config.value("home")?);
    let mut site_packages = existing(vec![
        own.join("site-packages"),
        prefix.join(format!("lib64/python{version}/site-packages")),
    ]);
    if config.value("include-system-site-packages").is_some_and(|value| value == "true") {
        let below = home.parent().map(|prefix| installed(prefix, &version));
        site_packages.extend(below.unwrap_or_default());
    }
    let full = config.value("version_info").or_else(|| config.value("version"));
    let full_version = full.map(|full| full.split('.').take(3).collect::<Vec<_>>().join("."));
    Some(Venv { prefix: prefix.to_owned(), python, home, version, full_version, site_packages })
}

/// The folders inside `checkout`, relative to it, that installed packages are imported from: what `pip install -e`
/// leaves in an environment. For a tree, the same folders of the tree must come first, else its tests would test
/// the checkout.
pub fn paths_into(site_packages: &[PathBuf], checkout: &Path) -> Vec<PathBuf> {
    let real = checkout.canonicalize().unwrap_or_else(|_| checkout.to_owned());
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in site_packages {
        let names = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = names.map(|entry| entry.path()).collect();
        files.sort();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let paths = if file.extension() == Some(OsStr::new("pth")) {
                lines_of(&file, folder)
            } else if name.starts_with("__editable__") && name.ends_with("_finder.py") {
                packages_of_finder(&file)
            } else {
                continue;
            };
            for path in paths {
                let path = path.canonicalize().unwrap_or(path);
                let Ok(inside) = path.strip_prefix(&real) else { continue };
                // Packages that are installed inside the checkout, in its own `.venv`, are no code of it.
                if !site_packages.iter().any(|site| is_below(site, &path))
                    && !found.iter().any(|known| known == inside)
                {
                    found.push(inside.to_owned());
                }
            }
        }
    }
    found
}

/// Writes the layer into `into`, or completes it. What was installed into it stays.
pub fn layered(layer: &Layer<'_>, into: &Path) -> Result<Venv, VenvError> {
    let real = real_interpreter(layer.python)?;
    let no_version = || VenvError::NoVersion { python: real.clone() };
    let home = real.parent().ok_or_else(no_version)?.to_owned();
    let prefix = home.parent().ok_or_else(no_version)?;
    let version = version_in(prefix, &real).ok_or_else(no_version)?;
    let full_version = layer
        .python
        .parent()
        .and_then(Path::parent)
        .and_then(describe)
        .filter(|below| below.version == version)
        .and_then(|below| below.full_version);
    let lib = into.join(format!("lib/python{version}/site-packages"));
    let bin = into.join("bin");
    for folder in [&lib, &bin] {
        fs::create_dir_all(folder).map_err(at("make", folder))?;
    }
    put_link(Path::new("lib"), &into.join("lib64"))?;
    for name in ["python".to_owned(), "python3".to_owned(), format!("python{version}")] {
        put_link(&real, &bin.join(name))?;
    }
    put_file(&lib.join(BELOW), &below_text(layer)?)?;
    // Last: without it the folder is no environment, so one that is cut short is never taken for one.
    let config = format!(
        "home = {}\ninclude-system-site-packages = false\nversion = {}\n",
        plain_text(&home)?,
        full_version.as_deref().unwrap_or(&version)
    );
    put_file(&into.join("pyvenv.cfg"), &config)?;
    let (prefix, python) = (into.to_owned(), bin.join("python"));
    Ok(Venv { prefix, python, home, version, full_version, site_packages: vec![lib] })
}

/// Scripts above this were not made by an installer.
const LONGEST_SCRIPT: u64 = 64 * 1024;

/// Gives a layer the scripts of the environment below, such as `pytest`: started by their name they run in the layer.
/// What the layer has by that name stays.
pub fn lend_scripts(below: &Path, layer: &Venv) -> Result<(), VenvError> {
    let bin = below.join("bin");
    let names = fs::read_dir(&bin).into_iter().flatten().flatten();
    for from in names.map(|entry| entry.path()) {
        let small = fs::metadata(&from).is_ok_and(|m| m.is_file() && m.len() <= LONGEST_SCRIPT);
        let Some(text) = small.then(|| fs::read_to_string(&from).ok()).flatten() else { continue };
        let Some((first, rest)) = text.split_once('\n') else { continue };
        let program = first.strip_prefix("#!").map(|line| Path::new(line.trim()));
        let to = layer.prefix.join("bin").join(from.file_name().unwrap_or_default());
        let theirs = program.is_some_and(|program| program.parent() == Some(bin.as_path()));
        if !theirs || to.symlink_metadata().is_ok() {
            continue;
        }
        let text = format!("#!{}\n{rest}", plain_text(&layer.python)?);
        fs::write(&to, text).map_err(at("write", &to))?;
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&to, all).map_err(at("make executable", &to))?;
    }
    Ok(())
}

/// The tree's own folders first, then the packages below with their own `.pth` files: `addsitedir` reads those too,
/// and what they add comes after all that is written here before.
fn below_text(layer: &Layer<'_>) -> Result<String, VenvError> {
    // An import must not leave compiled code in the environment below. What is compiled there already is used.
    let mut text = String::from("import sys; sys.dont_write_bytecode = True\n");
    for path in layer.first {
        let _ = writeln!(text, "import sys; sys.path.append({})", python_text(path)?);
    }
    for path in layer.below {
        let _ = writeln!(text, "import site; site.addsitedir({})", python_text(path)?);
    }
    Ok(text)
}

fn plain_text(path: &Path) -> Result<&str, VenvError> {
    path.to_str()
        .filter(|text| !text.contains(['\n', '\r']))
        .ok_or_else(|| VenvError::BadPath { path: path.to_owned() })
}

/// A Python literal in plain ASCII, so that no encoding can change it.
fn python_text(path: &Path) -> Result<String, VenvError> {
    let mut text = String::from("'");
    for c in plain_text(path)?.chars() {
        match c {
            '\\' | '\'' => text.extend(['\\', c]),
            ' '..='~' => text.push(c),
            _ => {
                let _ = write!(text, "\\U{:08x}", u32::from(c));
            }
        }
    }
    text.push('\'');
    Ok(text)
}

/// The interpreter itself: out of environments, and through links.
fn real_interpreter(python: &Path) -> Result<PathBuf, VenvError> {
    let mut python = python.to_owned();
    for _ in 0..DEEPEST {
        let config = python.parent().and_then(Path::parent).and_then(Config::read);
        let Some(home) = config.as_ref().and_then(|config| config.value("home")) else {
            break;
        };
        let name = python.file_name().unwrap_or(OsStr::new("python3")).to_owned();
        let written = config.as_ref().and_then(|config| config.value("executable"));
        let choices = [
            written.map(PathBuf::from),
            Some(Path::new(home).join(name)),
            Some(Path::new(home).join("python3")),
        ];
        let next = choices.into_iter().flatten().find(|choice| choice.is_file());
        python = next.ok_or(VenvError::NotPython {
            path: PathBuf::from(home),
            why: "the environment names it as its home, and no python3 is in it",
        })?;
    }
    let real = python.canonicalize().map_err(at("read", &python))?;
    let mut start = [0; 2];
    File::open(&real)
        .and_then(|mut file| file.read_exact(&mut start))
        .map_err(at("read", &real))?;
    if &start == b"#!" {
        let why = "it is a script that starts one";
        return Err(VenvError::NotPython { path: python, why });
    }
    Ok(real)
}

fn interpreter_in(prefix: &Path) -> Option<PathBuf> {
    let bin = prefix.join("bin");
    ["python3", "python"].iter().map(|name| bin.join(name)).find(|python| python.is_file())
}

/// `X.Y`, from the name of the interpreter where that says it, else from the one library folder.
fn version_in(prefix: &Path, python: &Path) -> Option<String> {
    let real = python.canonicalize().ok()?;
    let named = real.file_name()?.to_string_lossy().strip_prefix("python").and_then(version_of);
    let has_lib = |version: &String| prefix.join(format!("lib/python{version}")).is_dir();
    if let Some(version) = named.filter(has_lib) {
        return Some(version);
    }
    let config = Config::read(prefix);
    let written = config
        .as_ref()
        .and_then(|config| config.value("version_info").or_else(|| config.value("version")))
        .and_then(version_of);
    if let Some(version) = written.filter(has_lib) {
        return Some(version);
    }
    let folders = fs::read_dir(prefix.join("lib")).ok()?.flatten();
    let mut versions: Vec<String> = folders
        .filter_map(|entry| version_of(entry.file_name().to_string_lossy().strip_prefix("python")?))
        .collect();
    versions.dedup();
    if versions.len() == 1 { versions.pop() } else { None }
}

/// `3.11` of `3.11.7`; `None` of `3` and of `3-config`.
fn version_of(text: &str) -> Option<String> {
    let mut parts = text.split('.');
    let (major, minor) = (parts.next()?, parts.next()?);
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (number(major) && number(minor)).then(|| format!("{major}.{minor}"))
}

/// Where an installation keeps packages. Debian has names of its own for them.
fn installed(prefix: &Path, version: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if prefix == Path::new("/usr") {
        folders.push(PathBuf::from(format!("/usr/local/lib/python{version}/dist-packages")));
    }
    folders.push(prefix.join(format!("lib/python{version}/site-packages")));
    folders.push(prefix.join(format!("lib64/python{version}/site-packages")));
    folders.push(prefix.join("lib/python3/dist-packages"));
    existing(folders)
}

/// Those that are there, each once.
fn existing(folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut real: Vec<PathBuf> = Vec::new();
    let mut kept = Vec::new();
    for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
        let there = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        if !real.contains(&there) {
            real.push(there);
            kept.push(folder);
        }
    }
    kept
}

fn is_below(folder: &Path, path: &Path) -> bool {
    folder.canonicalize().is_ok_and(|folder| path.starts_with(folder))
}

/// The folders that a `.pth` file adds.
fn lines_of(file: &Path, folder: &Path) -> Vec<PathBuf> {
    let text = fs::read(file).unwrap_or_default();
    String::from_utf8_lossy(&text)
        .trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter(|line| !line.starts_with("import ") && !line.starts_with("import\t"))
        .map(|line| folder.join(line))
        .collect()
}

/// The folders that hold the packages which setuptools' finder maps: `MAPPING = {'name': '/checkout/src/name'}`.
fn packages_of_finder(file: &Path) -> Vec<PathBuf> {
    let text = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mapping = text.lines().filter(|line| line.starts_with("MAPPING"));
    mapping
        .flat_map(|line| line.split(['\'', '"']))
        .filter(|part| part.starts_with('/'))
        .filter_map(|part| Path::new(part).parent().map(Path::to_owned))
        .collect()
}

/// `pyvenv.cfg`.
struct Config(Vec<(String, String)>);

impl Config {
    fn read(prefix: &Path) -> Option<Self> {
        let text = fs::read_to_string(prefix.join("pyvenv.cfg")).ok()?;
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        let pair =
            |(key, value): (&str, &str)| (key.trim().to_ascii_lowercase(), value.trim().to_owned());
        Some(Self(pairs.map(pair).collect()))
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// Replaces what is there: never written through a link.
fn put_file(path: &Path, text: &str) -> Result<(), VenvError> {
    clear(path)?;
    let new = OpenOptions::new().write(true).create_new(true).open(path);
    new.and_then(|mut file| file.write_all(text.as_bytes())).map_err(at("write", path))?;
    Ok(())
}

fn put_link(target: &Path, path: &Path) -> Result<(), VenvError> {
    if fs::read_link(path).is_ok_and(|there| there == target) {
        return Ok(());
    }
    clear(path)?;
    symlink(target, path).map_err(at("make the link", path))?;
    Ok(())
}

fn clear(path: &Path) -> Result<(), VenvError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(at("remove", path)(error).into())
        }
        _ => Ok(()),
    }
}
