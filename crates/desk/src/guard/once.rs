//! A moment is answered once, also where hooks stand in several places (a plugin's, the checkout's, the user's own) and a program
//! asks each of them. Owns who answers; must not know what.

use std::collections::hash_map::DefaultHasher;
use std::fs::{File, OpenOptions, create_dir_all};
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Moments share this many files, so that none has to be cleaned up; two that share one wait for each other.
const NAME: usize = 3;

/// Whoever holds it answers.
pub(super) struct Turn {
    file: File,
    mark: String,
}

/// Waits until nobody else answers what was told. None where somebody did since `began`: it was the same moment then, since a
/// later one begins after the earlier was answered.
pub(super) fn turn(folder: &Path, told: &[u8], began: SystemTime) -> io::Result<Option<Turn>> {
    let mut hasher = DefaultHasher::new();
    told.hash(&mut hasher);
    let mark = format!("{:016x}", hasher.finish());
    let place = folder.join("asked");
    create_dir_all(&place)?;
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(place.join(mark.get(..NAME).unwrap_or(&mark)))?;
    file.lock()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let answered = text
        .split_once(' ')
        .filter(|(of, _)| *of == mark)
        .and_then(|(_, at)| at.trim().parse::<u128>().ok());
    Ok(match answered {
        Some(at) if at >= nanos(began) => None,
        _ => Some(Turn { file, mark }),
    })
}

impl Turn {
    /// From here on those who wait for the same have nothing to say.
    pub(super) fn answered(mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{} {}", self.mark, nanos(SystemTime::now()))
    }
}

fn nanos(at: SystemTime) -> u128 {
    at.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_asked_the_same_while_another_answers_has_nothing_to_say() {
        let home = tempfile::tempdir().unwrap();
        let began = SystemTime::now();
        let first = turn(home.path(), b"Stop", began).unwrap().unwrap();
        // Another moment is no reason to wait.
        assert!(turn(home.path(), b"PreToolUse", began).unwrap().is_some());
        let second = std::thread::scope(|scope| {
            let second = scope.spawn(|| turn(home.path(), b"Stop", began).unwrap().is_none());
            first.answered().unwrap();
            second.join().unwrap()
        });
        assert!(second);
        // The same words a moment later are another moment.
        assert!(turn(home.path(), b"Stop", SystemTime::now()).unwrap().is_some());
        // Whoever went without an answer leaves it to the next.
        drop(turn(home.path(), b"Stop", SystemTime::now()).unwrap());
        assert!(turn(home.path(), b"Stop", SystemTime::now()).unwrap().is_some());
    }
}
