//! A house with a child's own room and everything that it must not reach, and the judge of what it did there.

use super::attempts::{Attempt, Ends, PRELUDE, Tongue};
use super::keeper;
use proctor_world::child::{Cancel, ChildError, End, Keeper, Launch, Stdin, read_capped};
use proctor_world::leftovers::TOKEN;
use proctor_world::sandbox::{Bounds, Caps, Level, Network, Otherwise, Private};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Agent,
    Test,
}

pub(super) struct House {
    folder: TempDir,
    victim: Child,
    port: TcpListener,
    abstract_socket: UnixListener,
    sockets: [UnixListener; 2],
    mark: String,
    /// What it looked like at first.
    whole: String,
}

impl House {
    pub(super) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("proctor-escape-").tempdir().unwrap();
        let mark = folder.path().file_name().unwrap().to_string_lossy().into_owned();
        let root = folder.path().canonicalize().unwrap();
        for (path, text) in [
            ("user/.ssh/id_ed25519", "sesame of ssh"),
            ("user/.aws/credentials", "sesame of the cloud"),
            ("user/.cargo/credentials.toml", "sesame of a registry"),
            ("user/.cargo/registry/dep", "a dependency"),
            ("user/.bashrc", "# start-up"),
            ("tools/bin/tool", "#!/bin/sh"),
            ("tools/lib/lib.so", ""),
            ("repo/file", "sesame of the checkout"),
            ("store/journal.db", "sesame of the journal"),
            ("store/runs/other/evidence.json", "sesame of another run"),
            ("store/worktrees/other/file", "sesame of another agent"),
            ("store/worktrees/own/file", "mine"),
            ("store/tmp/.keep", ""),
            ("logs/.keep", ""),
            ("open/secret", "sesame of an open file"),
        ] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        }
        git(&root.join("repo"), &["init", "-q", "-b", "main"]);
        git(&root.join("repo"), &["add", "."]);
        git(&root.join("repo"), &["commit", "-q", "-m", "one"]);
        let victim = Command::new("sleep")
            .arg("600")
            .env("SECRET", "sesame of a process")
            .stdin(Stdio::null())
            .current_dir(root.join("user"))
            .spawn()
            .unwrap();
        let name = SocketAddr::from_abstract_name(&mark).unwrap();
        let mut house = Self {
            victim,
            port: TcpListener::bind("127.0.0.1:0").unwrap(),
            abstract_socket: UnixListener::bind_addr(&name).unwrap(),
            sockets: ["user/agent.sock", "docker.sock"]
                .map(|path| UnixListener::bind(root.join(path)).unwrap()),
            mark,
            whole: String::new(),
            folder,
        };
        house.whole = house.digest();
        house.port.set_nonblocking(true).unwrap();
        house.abstract_socket.set_nonblocking(true).unwrap();
        house.sockets.iter().for_each(|socket| socket.set_nonblocking(true).unwrap());
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn own(&self) -> PathBuf {
        self.path("store/worktrees/own")
    }

    fn bounds(&self, level: &Level, role: Role, caps: Caps) -> Bounds {
        Bounds {
            level: level.clone(),
            write: vec![self.own()],
            sealed: Vec::new(),
            read: vec![self.path("user/.cargo/registry"), self.path("tools")],
            hide: vec![self.path("user"), self.path("repo"), self.path("store")],
            hollow: Vec::new(),
            private: vec![
                Private { at: "/tmp".into(), from: self.path("store/tmp") },
                Private { at: "/var/tmp".into(), from: self.path("store/tmp") },
            ],
            network: match role {
                Role::Agent => Network::Open,
                Role::Test => Network::Loopback,
            },
            caps,
            otherwise: Otherwise::default(),
        }
    }

    /// Lets a child try it, and judges by what it said and by what is different afterwards.
    pub(super) fn attempt(
        &mut self,
        attempt: &Attempt,
        level: &Level,
        role: Role,
    ) -> (Ends, String) {
        let before = self.digest();
        let with_prelude = format!("{PRELUDE}{}", attempt.script);
        let argv: Vec<&str> = match attempt.tongue {
            Tongue::Shell => vec!["/bin/sh", "-c", attempt.script],
            Tongue::Python => vec![python(), "-c", &with_prelude],
        };
        let caps = (attempt.caps)(Caps::default(), &self.own());
        let launch = Launch {
            argv: argv.into_iter().map(Into::into).collect(),
            cwd: self.own(),
            env: self.env(),
            stdin: Stdin::Empty,
            limit: Duration::from_secs(20),
            logs: self.path("logs"),
            name: "child".to_owned(),
            bounds: Some(self.bounds(level, role, caps)),
        };
        let (how, said) = match self.keeper(attempt).run(&launch, &Cancel::new()) {
            Ok(ended) => {
                let read = |path: &Path| {
                    String::from_utf8_lossy(&read_capped(path, 1 << 16).unwrap().bytes).into_owned()
                };
                let said = format!("{}{}", read(&ended.stdout), read(&ended.stderr));
                (ended.how, said)
            }
            Err(ChildError::KeeperGone { .. }) => (End::Signalled(9), "ESCAPED: no keeper".into()),
            Err(why) => (End::CouldNotStart(why.to_string()), format!("ESCAPED: {why}")),
        };
        let signs = self.signs(&before, &said);
        clear(&self.own());
        let ends = if signs.is_empty() { Ends::Stopped } else { Ends::Works };
        (ends, format!("{how:?} {signs:?}\n{said}"))
    }

    /// Whether the next attempt needs another one.
    pub(super) fn is_spoilt(&mut self) -> bool {
        !matches!(self.victim.try_wait(), Ok(None)) || self.digest() != self.whole
    }

    /// One that was left a file open by whoever started us.
    fn keeper(&self, attempt: &Attempt) -> Keeper {
        let plain = keeper();
        if attempt.name != "inherited-file" {
            return plain;
        }
        let script = format!("exec 9<'{}'; exec \"$0\"", self.path("open/secret").display());
        Keeper {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into(), plain.program.into()],
        }
    }

    fn env(&self) -> BTreeMap<std::ffi::OsString, std::ffi::OsString> {
        BTreeMap::from([
            ("PATH".into(), "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin".into()),
            ("HOUSE".into(), self.path("").into()),
            ("VICTIM".into(), self.victim.id().to_string().into()),
            ("PORT".into(), self.port.local_addr().unwrap().port().to_string().into()),
            ("MARK".into(), self.mark.clone().into()),
            (TOKEN.into(), self.mark.clone().into()),
        ])
    }

    fn signs(&mut self, before: &str, said: &str) -> Vec<&'static str> {
        let mut signs = Vec::new();
        let mut note = |holds: bool, sign| {
            if holds {
                signs.push(sign);
            }
        };
        note(said.contains("ESCAPED"), "it says so");
        note(said.contains("sesame"), "it read a secret");
        note(self.digest() != before, "files of others changed");
        note(self.is_victim_gone(said), "another process is gone");
        note(self.port.accept().is_ok(), "it came by the network");
        note(self.abstract_socket.accept().is_ok(), "it came by an abstract socket");
        note(self.sockets.iter().any(|socket| socket.accept().is_ok()), "it came by a socket");
        for folder in ["/tmp", "/var/tmp", "/dev/shm"] {
            let left = Path::new(folder).join(format!("{}.left", self.mark));
            note(left.exists(), "a file is left outside");
            let _ = fs::remove_file(left);
        }
        note(self.is_left_behind(), "a process is left behind");
        note(self.is_segment_left(), "shared memory is left");
        signs
    }

    /// A process that was killed takes a moment to be gone.
    fn is_victim_gone(&mut self, said: &str) -> bool {
        for _ in 0..if said.contains("killed") { 100 } else { 1 } {
            if !matches!(self.victim.try_wait(), Ok(None)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        false
    }

    /// A segment of shared memory that has the number of the victim.
    fn is_segment_left(&self) -> bool {
        let own = self.victim.id().to_string();
        let table = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
        let found = table.lines().any(|line| line.split_whitespace().next() == Some(&own));
        if found {
            let _ = Command::new("ipcrm").args(["-M", &own]).status();
        }
        found
    }

    fn is_left_behind(&self) -> bool {
        let own = format!("left-{}", self.mark);
        let mut found = false;
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            found |= line.windows(own.len()).any(|part| part == own.as_bytes());
        }
        found
    }

    /// Everything that is not the child's own.
    fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        for part in
            ["user", "tools", "repo", "store/journal.db", "store/runs", "store/worktrees/other"]
        {
            digest(&self.path(part), &mut hasher);
        }
        format!("{:x}", Hex(&hasher.finalize()))
    }
}

struct Hex<'a>(&'a [u8]);

impl std::fmt::LowerHex for Hex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

fn digest(path: &Path, hasher: &mut Sha256) {
    let Ok(about) = fs::symlink_metadata(path) else { return };
    hasher.update(path.as_os_str().as_encoded_bytes());
    if about.is_dir() {
        let mut names: Vec<_> = fs::read_dir(path).unwrap().flatten().map(|e| e.path()).collect();
        names.sort();
        for name in &names {
            digest(name, hasher);
        }
    } else if about.is_file() {
        hasher.update(fs::read(path).unwrap());
    }
}

/// Makes a room as it was.
fn clear(own: &Path) {
    for entry in fs::read_dir(own).unwrap().flatten() {
        let path = entry.path();
        let _ = if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
    }
    fs::write(own.join("file"), "mine").unwrap();
}

fn git(at: &Path, args: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(args)
        .current_dir(at)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .status()
        .unwrap();
    assert!(done.success(), "git {args:?}");
}

fn python() -> &'static str {
    let known = ["/usr/bin/python3", "/usr/local/bin/python3"];
    known.into_iter().find(|path| Path::new(path).exists()).expect("a Python of the system")
}
