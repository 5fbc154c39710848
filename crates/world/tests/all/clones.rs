use crate::bench::write;
use proctor_world::child::Cancel;
use proctor_world::clone::{CloneError, clone_tree};
use proctor_world::tree::remove_tree;
use proctor_world::warm::{self, Given};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

struct Room {
    _temp: TempDir,
    top: PathBuf,
}

impl Room {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        fs::create_dir(top.join("from")).unwrap();
        Self { _temp: temp, top }
    }

    fn from(&self) -> PathBuf {
        self.top.join("from")
    }

    fn to(&self) -> PathBuf {
        self.top.join("to")
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.top)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn everything(_: &Path) -> bool {
    true
}

#[test]
fn a_copy_has_the_bytes_rights_times_and_links_of_its_original() {
    let room = Room::new();
    write(&room.from(), "a/run.sh", "#!/bin/sh\n");
    write(&room.from(), "a/b/read-only.txt", "text");
    fs::set_permissions(room.from().join("a/run.sh"), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(room.from().join("a/b/read-only.txt"), Permissions::from_mode(0o444))
        .unwrap();
    fs::create_dir(room.from().join("empty")).unwrap();
    symlink("../a", room.from().join("a/b/up")).unwrap();
    symlink("/nowhere/at/all", room.from().join("dangling")).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::new(1_500_000_000, 123_456_789);
    fs::File::open(room.from().join("a/run.sh")).unwrap().set_modified(time).unwrap();
    fs::set_permissions(room.from().join("a/b"), Permissions::from_mode(0o555)).unwrap();

    let cloned = clone_tree(&room.from(), &room.to(), &everything, &Cancel::new()).unwrap();

    assert_eq!((cloned.files, cloned.bytes), (2, 14));
    assert_eq!(fs::read(room.to().join("a/run.sh")).unwrap(), b"#!/bin/sh\n");
    let same = ["a", "a/run.sh", "a/b", "a/b/read-only.txt", "a/b/up", "dangling", "empty", ""];
    for path in same {
        let (old, new) = (room.from().join(path), room.to().join(path));
        let (old, new) = (old.symlink_metadata().unwrap(), new.symlink_metadata().unwrap());
        assert_eq!(old.mode(), new.mode(), "{path}");
        let times = (old.mtime(), old.mtime_nsec());
        assert_eq!(times, (new.mtime(), new.mtime_nsec()), "{path}");
    }
    assert_eq!(fs::metadata(room.to().join("a/run.sh")).unwrap().modified().unwrap(), time);
    assert_eq!(fs::read_link(room.to().join("a/b/up")).unwrap(), Path::new("../a"));
    assert_eq!(fs::read_link(room.to().join("dangling")).unwrap(), Path::new("/nowhere/at/all"));
    assert_eq!(room.names(), ["from", "to"]);
    remove_tree(&room.to()).unwrap();
    assert!(room.from().join("a/b/read-only.txt").exists());
}

#[test]
fn a_write_in_place_into_the_copy_is_not_seen_in_the_original() {
    let room = Room::new();
    write(&room.from(), "file", "original");
    // Two names of one file in the original are two files in the copy.
    fs::hard_link(room.from().join("file"), room.from().join("other name")).unwrap();
    clone_tree(&room.from(), &room.to(), &everything, &Cancel::new()).unwrap();
    let inode = |path: PathBuf| fs::metadata(path).unwrap().ino();
    assert_ne!(inode(room.from().join("file")), inode(room.to().join("file")));
    assert_ne!(inode(room.to().join("file")), inode(room.to().join("other name")));
    fs::write(room.to().join("file"), "changed!").unwrap();
    assert_eq!(fs::read(room.from().join("file")).unwrap(), b"original");
    assert_eq!(fs::read(room.to().join("other name")).unwrap(), b"original");
}

#[test]
fn what_is_not_wanted_and_what_is_no_file_is_left_out() {
    let room = Room::new();
    write(&room.from(), "kept/a", "a");
    write(&room.from(), "cache/deep/b", "b");
    let _socket = UnixListener::bind(room.from().join("socket")).unwrap();
    let mut asked = std::cell::RefCell::new(Vec::new());
    let keep = |path: &Path| {
        asked.borrow_mut().push(path.to_owned());
        path != Path::new("cache")
    };
    let cloned = clone_tree(&room.from(), &room.to(), &keep, &Cancel::new()).unwrap();
    assert_eq!(cloned.files, 1);
    assert!(!room.to().join("cache").exists());
    assert!(!room.to().join("socket").exists());
    assert!(!asked.get_mut().contains(&PathBuf::from("cache/deep")));
}

#[test]
fn many_files_are_all_copied() {
    let room = Room::new();
    for n in 0..1_500 {
        write(&room.from(), &format!("{}/{n}", n % 7), n.to_string());
    }
    let cloned = clone_tree(&room.from(), &room.to(), &everything, &Cancel::new()).unwrap();
    assert_eq!(cloned.files, 1_500);
    for n in 0..1_500 {
        let text = fs::read_to_string(room.to().join(format!("{}/{n}", n % 7))).unwrap();
        assert_eq!(text, n.to_string());
    }
}

#[test]
fn a_cancelled_copy_leaves_nothing() {
    let room = Room::new();
    for n in 0..300 {
        write(&room.from(), &n.to_string(), "text");
    }
    let cancel = Cancel::new();
    let pull = |path: &Path| {
        if path == Path::new("299") {
            cancel.cancel();
        }
        true
    };
    let stopped = clone_tree(&room.from(), &room.to(), &pull, &cancel);
    assert!(matches!(stopped, Err(CloneError::Cancelled { to }) if to == room.to()));
    assert_eq!(room.names(), ["from"]);
}

#[test]
fn leftovers_of_a_dead_attempt_are_removed_and_those_of_a_living_one_are_not() {
    let room = Room::new();
    write(&room.from(), "a", "a");
    write(&room.top, ".to.999999-0.part/half/made", "dead");
    write(&room.top, ".to.999999-1.part/half/made", "alive");
    write(&room.top, ".to.own.part/file", "not ours");
    let living = fs::File::open(room.top.join(".to.999999-1.part")).unwrap();
    rustix::fs::flock(&living, rustix::fs::FlockOperation::LockExclusive).unwrap();
    clone_tree(&room.from(), &room.to(), &everything, &Cancel::new()).unwrap();
    assert_eq!(room.names(), [".to.999999-1.part", ".to.own.part", "from", "to"]);
}

#[test]
fn an_empty_folder_gives_way_and_a_filled_one_stays() {
    let room = Room::new();
    write(&room.from(), "a", "a");
    fs::create_dir(room.to()).unwrap();
    clone_tree(&room.from(), &room.to(), &everything, &Cancel::new()).unwrap();
    write(&room.to(), "a", "mine");
    let again = clone_tree(&room.from(), &room.to(), &everything, &Cancel::new());
    assert!(matches!(again, Err(CloneError::There { to }) if to == room.to()));
    assert_eq!(fs::read(room.to().join("a")).unwrap(), b"mine");
    assert_eq!(room.names(), ["from", "to"]);
}

#[test]
fn an_error_names_the_path() {
    let room = Room::new();
    let gone = room.top.join("gone");
    let error = clone_tree(&gone, &room.to(), &everything, &Cancel::new()).unwrap_err();
    assert!(error.to_string().contains(&gone.display().to_string()), "{error}");
    symlink(room.from(), &gone).unwrap();
    let error = clone_tree(&gone, &room.to(), &everything, &Cancel::new()).unwrap_err();
    assert!(error.to_string().contains("it is not a folder"), "{error}");
}

#[test]
fn build_products_are_kept_once_and_each_run_gets_a_copy_of_its_own() {
    let room = Room::new();
    let home = room.top.join("home");
    let cancel = Cancel::new();
    write(&room.from(), "debug/lib.rlib", "built");
    write(&room.from(), "debug/incremental/x", "not kept");
    let keep = |path: &Path| !path.ends_with("incremental");
    assert!(warm::take(&home, "k", &room.to(), &cancel).unwrap().is_none());
    let given = warm::give(&home, "k", &room.from(), &keep, &cancel).unwrap();
    assert!(matches!(given, Given::Kept(cloned) if cloned.files == 1));
    write(&room.from(), "debug/lib.rlib", "built later");
    let again = warm::give(&home, "k", &room.from(), &keep, &cancel).unwrap();
    assert_eq!(again, Given::ThereBefore);

    let taken = warm::take(&home, "k", &room.to(), &cancel).unwrap().unwrap();
    assert_eq!(taken.files, 1);
    assert_eq!(fs::read(room.to().join("debug/lib.rlib")).unwrap(), b"built");
    fs::write(room.to().join("debug/lib.rlib"), "spoilt by a run").unwrap();
    assert!(warm::take(&home, "k", &room.to(), &cancel).unwrap().is_none());
    assert_eq!(fs::read(room.to().join("debug/lib.rlib")).unwrap(), b"spoilt by a run");
    let other = room.top.join("other");
    warm::take(&home, "k", &other, &cancel).unwrap().unwrap();
    assert_eq!(fs::read(other.join("debug/lib.rlib")).unwrap(), b"built");
}

#[test]
fn a_key_can_not_leave_the_shelf() {
    let room = Room::new();
    for key in ["", "..", "a/b", ".hidden", "../from"] {
        let result = warm::take(&room.top, key, &room.to(), &Cancel::new());
        assert!(matches!(result, Err(CloneError::Tree(_))), "{key}");
    }
}

#[test]
fn what_was_not_used_for_the_longest_time_is_trimmed() {
    let room = Room::new();
    let (home, cancel) = (room.top.join("home"), Cancel::new());
    write(&room.from(), "a", "a");
    assert!(warm::trim(&home, 1).unwrap().is_empty());
    for (age, key) in ["one", "two", "three", "four"].into_iter().rev().enumerate() {
        warm::give(&home, key, &room.from(), &everything, &cancel).unwrap();
        let hours = u64::try_from(age + 1).unwrap();
        let time = SystemTime::now() - Duration::from_hours(hours);
        fs::File::open(home.join("warm").join(key)).unwrap().set_modified(time).unwrap();
    }
    // `one` is the oldest until it is taken.
    warm::take(&home, "one", &room.to(), &cancel).unwrap().unwrap();
    // In use as long as somebody holds the lock that taking holds.
    let used = fs::File::open(home.join("warm/two")).unwrap();
    rustix::fs::flock(&used, rustix::fs::FlockOperation::LockShared).unwrap();
    assert_eq!(warm::trim(&home, 2).unwrap(), ["three"]);
    drop(used);
    assert_eq!(warm::trim(&home, 2).unwrap(), ["two"]);
    let mut left: Vec<_> = fs::read_dir(home.join("warm"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["four", "one"]);
}
