//! What is tried: a script for each escape, and what comes of it below the strong levels, where all are stopped.

use proctor_world::sandbox::Caps;
use std::path::Path;

/// What every script in Python begins with.
pub(super) const PRELUDE: &str = r#"import ctypes,os,socket,platform
libc=ctypes.CDLL(None,use_errno=True)
arm=platform.machine()=="aarch64"
V=int(os.environ["VICTIM"])
def call(x86,a64,*args):
    r=libc.syscall(a64 if arm else x86,*args)
    return r,ctypes.get_errno()
def won(): print("ESCAPED")
"#;

/// What comes of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Stopped,
    Works,
    /// Stopped by kernels from this version on; older ones let it be.
    Since(u32, u32),
    /// It would harm the machine, or depends on it.
    Untried,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    Shell,
    Python,
}

pub(super) struct Attempt {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) tongue: Tongue,
    /// It prints ESCAPED or a secret, or leaves a trace, where it works.
    pub(super) script: &'static str,
    /// At the level of files.
    pub(super) files: Ends,
    /// Without a sandbox, as root.
    pub(super) none: Ends,
    /// Whether it is about the network, which an agent may use.
    pub(super) network: bool,
    pub(super) caps: fn(Caps, &Path) -> Caps,
}

pub(super) fn usual(caps: Caps, _: &Path) -> Caps {
    caps
}

fn few_processes(caps: Caps, _: &Path) -> Caps {
    Caps { processes: 400, ..caps }
}

fn little_memory(caps: Caps, _: &Path) -> Caps {
    Caps { memory: 256 << 20, ..caps }
}

fn small_files(caps: Caps, _: &Path) -> Caps {
    Caps { file: 8 << 20, ..caps }
}

/// All but two gigabytes are to stay free. What others take or give back meanwhile is less than that.
fn little_disk(caps: Caps, own: &Path) -> Caps {
    // What was removed just before is free for all only when it is written down.
    rustix::fs::sync();
    let about = rustix::fs::statvfs(own).unwrap();
    let free = about.f_bavail * about.f_frsize;
    Caps { disk_free: free.saturating_sub(2 << 30), ..caps }
}

pub(super) static ATTEMPTS: [Attempt; 78] = [
    Attempt {
        name: "ssh-key",
        what: "read an ssh key",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"cat "$HOUSE"user/.ssh/id_ed25519"#,
    },
    Attempt {
        name: "cloud-credentials",
        what: "read cloud credentials",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"cat "$HOUSE"user/.aws/credentials"#,
    },
    Attempt {
        name: "registry-token",
        what: "read a registry token beside a readable cache",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"cat "$HOUSE"user/.cargo/credentials.toml"#,
    },
    Attempt {
        name: "home-listing",
        what: "list the user's home",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"ls -a "$HOUSE"user | grep -q bashrc && echo ESCAPED"#,
    },
    Attempt {
        name: "startup-file",
        what: "write a start-up file of the shell",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"echo evil >>"$HOUSE"user/.bashrc"#,
    },
    Attempt {
        name: "read-checkout",
        what: "read the user's checkout",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"cat "$HOUSE"repo/file"#,
    },
    Attempt {
        name: "write-checkout",
        what: "write the user's checkout",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"echo evil >"$HOUSE"repo/file"#,
    },
    Attempt {
        name: "delete-checkout",
        what: "delete the user's checkout",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"rm -rf "$HOUSE"repo/file"#,
    },
    Attempt {
        name: "hook",
        what: "plant a git hook in the user's repository",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"echo evil >"$HOUSE"repo/.git/hooks/post-checkout"#,
    },
    Attempt {
        name: "fsmonitor",
        what: "set core.fsmonitor in the user's repository",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"git -C "$HOUSE"repo config core.fsmonitor evil"#,
    },
    Attempt {
        name: "git-replace",
        what: "replace an object in the user's repository",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"cd "$HOUSE"repo && export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a && git config --global --add safe.directory "*" 2>/dev/null; git replace HEAD $(git commit-tree -m evil HEAD^{tree})"#,
    },
    Attempt {
        name: "move-branch",
        what: "move a branch of the user's repository",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"rm -f "$HOUSE"repo/.git/refs/heads/main"#,
    },
    Attempt {
        name: "read-journal",
        what: "read Proctor's journal",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"cat "$HOUSE"store/journal.db"#,
    },
    Attempt {
        name: "write-journal",
        what: "write Proctor's journal",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"echo evil >>"$HOUSE"store/journal.db"#,
    },
    Attempt {
        name: "other-run",
        what: "read the evidence of another run",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"cat "$HOUSE"store/runs/other/evidence.json"#,
    },
    Attempt {
        name: "other-worktree",
        what: "write the worktree of another run",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"echo evil >"$HOUSE"store/worktrees/other/file"#,
    },
    Attempt {
        name: "toolchain",
        what: "change a toolchain that may be read",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"echo evil >"$HOUSE"tools/bin/tool"#,
    },
    Attempt {
        name: "preload",
        what: "leave a library where a toolchain loads it",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"echo evil >"$HOUSE"tools/lib/lib.so"#,
    },
    Attempt {
        name: "dependency-cache",
        what: "change a downloaded dependency",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"echo evil >"$HOUSE"user/.cargo/registry/dep"#,
    },
    Attempt {
        name: "system-file",
        what: "write a file of the system",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r"touch /usr/proctor-escape 2>/dev/null && echo ESCAPED && rm /usr/proctor-escape",
    },
    Attempt {
        name: "ld-preload",
        what: "write /etc/ld.so.preload",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r": 2>/dev/null >>/etc/ld.so.preload && echo ESCAPED",
    },
    Attempt {
        name: "cron",
        what: "plant a job for later",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r"for d in /var/spool/cron /etc/cron.d; do touch $d/proctor-escape 2>/dev/null && echo ESCAPED && rm $d/proctor-escape; done",
    },
    Attempt {
        name: "passwords",
        what: "read the passwords of the machine",
        tongue: Tongue::Shell,
        files: Ends::Untried,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"test -s /etc/shadow && grep -q root /etc/shadow && echo ESCAPED",
    },
    Attempt {
        name: "dotdot",
        what: "read through ..",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"cat ../../../user/.ssh/id_ed25519",
    },
    Attempt {
        name: "symlink",
        what: "read through a link of its own",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"ln -s "$HOUSE"user/.ssh link && cat link/id_ed25519"#,
    },
    Attempt {
        name: "symlink-swap",
        what: "swap a file for a link while it is read",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"for i in 1 2 3 4 5; do rm -f file; ln -s "$HOUSE"repo/file file; cat file; rm file; echo mine >file; done"#,
    },
    Attempt {
        name: "hard-link",
        what: "make a hard link to a file outside",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"ln "$HOUSE"user/.ssh/id_ed25519 hard && cat hard"#,
    },
    Attempt {
        name: "move-out",
        what: "move a file out",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"mv file "$HOUSE"repo/evil"#,
    },
    Attempt {
        name: "shared-temp",
        what: "leave a file in the shared temp folder",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"echo evil >/tmp/$MARK.left",
    },
    Attempt {
        name: "shared-memory",
        what: "leave a file in shared memory",
        tongue: Tongue::Shell,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"echo evil >/dev/shm/$MARK.left",
    },
    Attempt {
        name: "proc-root",
        what: "reach files through /proc of others",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"for p in /proc/[0-9]*; do test $p = /proc/$$ || test $p = /proc/self || cat $p/root"$HOUSE"user/.ssh/id_ed25519 2>/dev/null; done"#,
    },
    Attempt {
        name: "proc-cwd",
        what: "reach files through the folder of another process",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"cat /proc/$VICTIM/cwd/.ssh/id_ed25519",
    },
    Attempt {
        name: "proc-environ",
        what: "read the environment of another process",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"tr '\\0' '\\n' </proc/$VICTIM/environ",
    },
    Attempt {
        name: "proc-list",
        what: "see other processes",
        tongue: Tongue::Shell,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"grep -qa sleep /proc/$VICTIM/cmdline && echo ESCAPED",
    },
    Attempt {
        name: "kill",
        what: "kill another process",
        tongue: Tongue::Shell,
        files: Ends::Since(6, 12),
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"kill -9 $VICTIM && echo killed",
    },
    Attempt {
        name: "kill-all",
        what: "kill every process",
        tongue: Tongue::Shell,
        files: Ends::Untried,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r"kill -9 -1",
    },
    Attempt {
        name: "kill-keeper",
        what: "kill the keeper",
        tongue: Tongue::Shell,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"kill -9 $PPID; sleep 0.2; echo alive",
    },
    Attempt {
        name: "renice",
        what: "slow another process down",
        tongue: Tongue::Shell,
        files: Ends::Untried,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"renice -n 5 -p $VICTIM >/dev/null 2>&1 && echo ESCAPED",
    },
    Attempt {
        name: "ptrace",
        what: "trace another process",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
if libc.ptrace(16,V,0,0)==0:
    os.waitpid(V,0x40000000); libc.ptrace(17,V,0,0); won()
",
    },
    Attempt {
        name: "process-memory",
        what: "open the memory of another process",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
open(f"/proc/{V}/mem","rb").close(); won()
"#,
    },
    Attempt {
        name: "daemon",
        what: "leave a daemon behind",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Stopped,
        network: false,
        caps: usual,
        script: r#"setsid nohup sh -c "sleep 60 # left-$MARK" >/dev/null 2>&1 & sleep 0.05"#,
    },
    Attempt {
        name: "double-fork",
        what: "leave a daemon without a name behind",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Stopped,
        network: false,
        caps: usual,
        script: r#"
if os.fork()==0:
    os.setsid()
    if os.fork()==0:
        os.execve("/bin/sleep",["left-"+os.environ["MARK"],"60"],{})
    os._exit(0)
os.wait()
"#,
    },
    Attempt {
        name: "terminal",
        what: "type into a terminal",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"
import fcntl
for path in ["/dev/tty","/proc/self/fd/0","/proc/self/fd/1","/proc/self/fd/2","/dev/console"]:
    try:
        with open(path,"rb") as f:
            fcntl.ioctl(f,0x5412,b"x"); won()
    except OSError: pass
"#,
    },
    Attempt {
        name: "inherited-file",
        what: "use a file that was left open",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Stopped,
        network: false,
        caps: usual,
        script: r"cat <&9",
    },
    Attempt {
        name: "abstract-socket",
        what: "connect to an abstract socket",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
s=socket.socket(socket.AF_UNIX); s.connect("\0"+os.environ["MARK"])
"#,
    },
    Attempt {
        name: "ssh-agent",
        what: "connect to the socket of ssh-agent",
        tongue: Tongue::Python,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
s=socket.socket(socket.AF_UNIX); s.connect(os.environ["HOUSE"]+"user/agent.sock")
"#,
    },
    Attempt {
        name: "docker",
        what: "connect to the socket of docker",
        tongue: Tongue::Python,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
s=socket.socket(socket.AF_UNIX); s.connect(os.environ["HOUSE"]+"docker.sock")
"#,
    },
    Attempt {
        name: "loopback",
        what: "reach a service of the machine on loopback",
        tongue: Tongue::Python,
        files: Ends::Works,
        none: Ends::Works,
        network: true,
        caps: usual,
        script: r#"
s=socket.create_connection(("127.0.0.1",int(os.environ["PORT"])),2)
"#,
    },
    Attempt {
        name: "network",
        what: "reach the network",
        tongue: Tongue::Python,
        files: Ends::Untried,
        none: Ends::Untried,
        network: true,
        caps: usual,
        script: r#"
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.connect(("192.0.2.1",53)); won()
"#,
    },
    Attempt {
        name: "web",
        what: "connect to a web server of the network",
        tongue: Tongue::Python,
        files: Ends::Since(6, 7),
        none: Ends::Untried,
        network: true,
        caps: usual,
        script: r#"
import errno
s=socket.socket(); s.setblocking(False)
if s.connect_ex(("192.0.2.1",443))==errno.EINPROGRESS: won()
"#,
    },
    Attempt {
        name: "raw-socket",
        what: "open a raw socket",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
socket.socket(socket.AF_PACKET,socket.SOCK_RAW); won()
",
    },
    Attempt {
        name: "keyring",
        what: "use the kernel's keyring",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
r,e=call(250,219,0,-3,1)
if r>=0: won()
",
    },
    Attempt {
        name: "bpf",
        what: "load a program into the kernel",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
b=(ctypes.c_uint32*16)(1,4,4,1)
r,e=call(321,280,0,b,64)
if r>=0: won()
",
    },
    Attempt {
        name: "perf",
        what: "measure another process",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
b=(ctypes.c_uint32*32)(1,128); 
r,e=call(298,241,b,V,-1,-1,0)
if r>=0: won()
",
    },
    Attempt {
        name: "userfaultfd",
        what: "hold the kernel up by page faults",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
r,e=call(323,282,0)
if r>=0: won()
",
    },
    Attempt {
        name: "mount",
        what: "mount something",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r"mkdir m && mount -t tmpfs none m 2>/dev/null && echo ESCAPED && umount m",
    },
    Attempt {
        name: "remount",
        what: "make the system writable",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r"mount -o remount,bind,rw /usr 2>/dev/null && echo ESCAPED",
    },
    Attempt {
        name: "own-namespace",
        what: "make the system writable in a namespace of its own",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"unshare -Urm sh -c "mount -o remount,bind,rw /usr; touch /usr/proctor-escape && echo ESCAPED && rm /usr/proctor-escape" 2>/dev/null"#,
    },
    Attempt {
        name: "own-namespace-secret",
        what: "uncover files in a namespace of its own",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"unshare -Urm sh -c "umount -l /etc/shadow /tmp /; cat \"$HOUSE\"user/.ssh/id_ed25519" 2>/dev/null"#,
    },
    Attempt {
        name: "own-proc",
        what: "get a /proc that can be written",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"unshare -Urpfm sh -c "mount -t proc proc /proc && v=\$(cat /proc/sys/kernel/core_pattern) && echo \"\$v\" >/proc/sys/kernel/core_pattern && echo ESCAPED" 2>/dev/null"#,
    },
    Attempt {
        name: "enter-namespace",
        what: "enter the namespaces of another process",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"nsenter -t $VICTIM -a cat "$HOUSE"user/.ssh/id_ed25519; nsenter -t 1 -m cat "$HOUSE"user/.ssh/id_ed25519"#,
    },
    Attempt {
        name: "chroot",
        what: "change its root",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
os.chroot("."); won()
"#,
    },
    Attempt {
        name: "core-pattern",
        what: "set the program that handles crashes",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"v=$(cat /proc/sys/kernel/core_pattern) && echo "$v" 2>/dev/null >/proc/sys/kernel/core_pattern && echo ESCAPED"#,
    },
    Attempt {
        name: "sysctl",
        what: "change a setting of the kernel",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"v=$(cat /proc/sys/vm/overcommit_memory) && echo "$v" 2>/dev/null >/proc/sys/vm/overcommit_memory && echo ESCAPED"#,
    },
    Attempt {
        name: "sysrq",
        what: "reach the emergency keys",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r": 2>/dev/null >>/proc/sysrq-trigger && echo ESCAPED",
    },
    Attempt {
        name: "device-memory",
        what: "read the memory of the machine",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r"head -c1 /dev/mem >/dev/null 2>&1 && echo ESCAPED; mknod mem c 1 1 2>/dev/null && head -c1 mem >/dev/null 2>&1 && echo ESCAPED",
    },
    Attempt {
        name: "device-disk",
        what: "read the disk past its files",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"for d in $(cut -d" " -f1 /proc/self/mounts | grep ^/dev/ | sort -u); do head -c1 $d >/dev/null 2>&1 && echo ESCAPED; done; mknod disk b $(awk "\$4 != \"name\" && NF == 4 { print \$1, \$2; exit }" /proc/partitions) 2>/dev/null && head -c1 disk >/dev/null 2>&1 && echo ESCAPED"#,
    },
    Attempt {
        name: "reboot",
        what: "restart the machine",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
# With wrong numbers: only whether it would be allowed is asked.
r,e=call(169,142,0,0,0,0)
if e!=1: won()
",
    },
    Attempt {
        name: "clock",
        what: "set the clock",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r"
import time
t=(ctypes.c_long*2)(int(time.time()),0)
r,e=call(227,112,0,t)
if r==0: won()
",
    },
    Attempt {
        name: "module",
        what: "load a kernel module",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
r,e=call(313,273,-1,b"",0)
if e!=1: won()
"#,
    },
    Attempt {
        name: "hostname",
        what: "rename the machine",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
import socket
n=socket.gethostname().encode()
if libc.sethostname(n,len(n))==0: won()
",
    },
    Attempt {
        name: "set-user",
        what: "get rights from a set-user program",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"grep -q "NoNewPrivs:.1" /proc/self/status || echo ESCAPED"#,
    },
    Attempt {
        name: "capabilities",
        what: "keep a right of root",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"grep -E "Cap(Eff|Prm|Amb):" /proc/self/status | grep -v "0000000000000000" && echo ESCAPED"#,
    },
    Attempt {
        name: "cgroup",
        what: "leave its control group",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"for f in $(find /sys/fs/cgroup -maxdepth 3 -name cgroup.procs 2>/dev/null | head -3); do : 2>/dev/null >>$f && echo ESCAPED; done",
    },
    Attempt {
        name: "fork-bomb",
        what: "start processes without end",
        tongue: Tongue::Python,
        files: Ends::Untried,
        none: Ends::Untried,
        network: false,
        caps: few_processes,
        script: r"
import time
n=0
try:
    while n<3000:
        if os.fork()==0: time.sleep(30); os._exit(0)
        n+=1
except OSError: pass
print(n)
if n>=3000: won()
",
    },
    Attempt {
        name: "memory-bomb",
        what: "use memory without end",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: little_memory,
        script: r"
kept=[]
for n in range(16):
    kept.append(bytearray(64<<20))
won()
",
    },
    Attempt {
        name: "disk-filler",
        what: "fill the disk",
        tongue: Tongue::Shell,
        files: Ends::Untried,
        none: Ends::Untried,
        network: false,
        caps: little_disk,
        script: r"i=0; while [ $i -lt 40 ]; do fallocate -l 100M fill$i || break; i=$((i+1)); sleep 0.1; done; [ $i -lt 40 ] || echo ESCAPED",
    },
    Attempt {
        name: "big-file",
        what: "write a file without end",
        tongue: Tongue::Shell,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: small_files,
        script: r"dd if=/dev/zero of=big bs=1M count=64 2>/dev/null && echo ESCAPED",
    },
];
