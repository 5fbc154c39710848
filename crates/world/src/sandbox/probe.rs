//! Which level works here: found out by running a child at each, the best first, once in a process. It must not guess from
//! versions or rights.

#[cfg(target_os = "linux")]
use super::Owner;
use super::{Bounds, Caps, Level, Network, Otherwise};
use crate::child::{Cancel, End, Keeper, Launch, Stdin};
use crate::processes;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// The level that works, and why the better ones do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub level: Level,
    pub refused: Vec<(&'static str, String)>,
}

/// Which levels are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wish {
    Best,
    Bubblewrap,
    Namespaces,
    Landlock,
    None,
    Portable,
}

impl Wish {
    pub const NAMES: [&'static str; 6] =
        ["best", "bubblewrap", "namespaces", "landlock", "none", "portable"];

    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "best" => Self::Best,
            "bubblewrap" => Self::Bubblewrap,
            "namespaces" => Self::Namespaces,
            "landlock" => Self::Landlock,
            "none" => Self::None,
            "portable" => Self::Portable,
            _ => return None,
        })
    }

    fn covers(self, level: &Level) -> bool {
        match self {
            Self::Best => true,
            Self::Bubblewrap => matches!(level, Level::Bubblewrap(_)),
            Self::Namespaces => matches!(level, Level::Namespaces(_)),
            Self::Landlock => *level == Level::Landlock,
            Self::None => *level == Level::None,
            Self::Portable => *level == Level::Portable,
        }
    }
}

static KNOWN: LazyLock<Mutex<HashMap<(PathBuf, Wish), Found>>> = LazyLock::new(Mutex::default);

/// The best level of those that are wished for. `scratch` is a folder to try in.
pub fn probe(keeper: &Keeper, wish: Wish, scratch: &Path) -> Found {
    // Kept locked while it is tried: who asks at the same moment wants the same answer.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (keeper.program.clone(), wish);
    known.entry(key).or_insert_with(|| tried(keeper, wish, scratch)).clone()
}

fn tried(keeper: &Keeper, wish: Wish, scratch: &Path) -> Found {
    let mut refused = Vec::new();
    if wish == Wish::Portable || !cfg!(target_os = "linux") {
        processes::go_without();
        refused.push((
            "portable",
            "process groups alone: what leaves its group may stay behind".to_owned(),
        ));
        return Found { level: Level::Portable, refused };
    }
    for level in levels(&mut refused) {
        if !wish.covers(&level) {
            continue;
        }
        match attempt(keeper, &level, scratch) {
            Ok(()) => return Found { level, refused },
            Err(why) => refused.push((level.name(), why)),
        }
    }
    Found { level: Level::None, refused }
}

#[cfg(target_os = "linux")]
fn levels(refused: &mut Vec<(&'static str, String)>) -> Vec<Level> {
    let mut levels = Vec::new();
    let bubblewrap = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];
    match bubblewrap.iter().map(PathBuf::from).find(|path| path.is_file()) {
        Some(program) => levels.push(Level::Bubblewrap(program)),
        None => refused.push(("bubblewrap", "it is not installed".to_owned())),
    }
    levels.push(Level::Namespaces(Owner::User));
    if rustix::process::geteuid().is_root() {
        levels.push(Level::Namespaces(Owner::Root));
    }
    levels.push(Level::Landlock);
    levels
}

#[cfg(not(target_os = "linux"))]
fn levels(refused: &mut Vec<(&'static str, String)>) -> Vec<Level> {
    refused.push(("sandbox", "only Linux has one in this version".to_owned()));
    Vec::new()
}

/// A child that must work inside, and must not be able to do what the level stops.
fn attempt(keeper: &Keeper, level: &Level, scratch: &Path) -> Result<(), String> {
    let folder = crate::draft::Draft::beside(&scratch.join("sandbox-probe"))
        .map_err(|why| why.to_string())?;
    let (own, other) = (folder.dir().join("own"), folder.dir().join("other"));
    for path in [&own, &other] {
        std::fs::create_dir_all(path).map_err(|why| why.to_string())?;
    }
    let bounds = Bounds {
        level: level.clone(),
        write: vec![own.clone()],
        sealed: Vec::new(),
        read: Vec::new(),
        hide: Vec::new(),
        hollow: Vec::new(),
        private: Vec::new(),
        network: Network::Loopback,
        caps: Caps::default(),
        otherwise: Otherwise::default(),
    };
    let script = r#"echo in >"$1"/file && test -d /usr && ! ( echo out >"$2"/file ) 2>/dev/null"#;
    let launch = Launch {
        argv: ["/bin/sh", "-c", script, "sh"]
            .map(Into::into)
            .into_iter()
            .chain([own.clone().into(), other.clone().into()])
            .collect(),
        cwd: own.clone(),
        env: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        stdin: Stdin::Empty,
        limit: Duration::from_secs(10),
        logs: folder.dir().join("logs"),
        name: "probe".to_owned(),
        bounds: Some(bounds),
    };
    let ended = keeper.run(&launch, &Cancel::new()).map_err(|why| why.to_string())?;
    match ended.how {
        End::Exited(0) if own.join("file").exists() && !other.join("file").exists() => Ok(()),
        how => {
            let said = std::fs::read_to_string(&ended.stderr).unwrap_or_default();
            Err(format!("a trial ended with {how:?} {}", said.trim()))
        }
    }
}
