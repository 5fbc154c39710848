//! Reads and changes files below one folder for somebody who may not get out of it: no link leads further than the folder
//! itself. Every answer is a text, and bounded; so is every refusal. Decides nothing about which files may change.

use std::fmt::Write;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use regex::Regex;

/// The most that one answer holds.
const MOST_BYTES: usize = 60 * 1024;
const MOST_FILES: usize = 1000;
const MOST_HITS: usize = 200;
/// The longest line that is shown of a hit.
const LONGEST_LINE: usize = 300;
/// The largest file that is read or searched.
const LARGEST: u64 = 20 * 1024 * 1024;

#[derive(Debug, Clone)]
pub struct Desk {
    root: PathBuf,
}

/// Which lines of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// From 1.
    pub from: u64,
    pub most: Option<u64>,
}

/// Which places of a text are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    TheOnly,
    All,
}

impl Desk {
    /// The folder itself may be named by a link.
    pub fn at(root: &Path) -> io::Result<Self> {
        Ok(Self { root: root.canonicalize()? })
    }

    pub fn read(&self, path: &str, lines: Lines) -> Result<String, String> {
        let text = self.text(path)?;
        let from = usize::try_from(lines.from.saturating_sub(1)).unwrap_or(usize::MAX);
        let most = lines.most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let whole = from == 0 && most == usize::MAX;
        let wanted: String = if whole {
            text.clone()
        } else {
            text.split_inclusive('\n').skip(from).take(most).collect()
        };
        if wanted.is_empty() {
            let count = text.lines().count();
            return Ok(if text.is_empty() {
                "(the file is empty)".to_owned()
            } else {
                format!("(the file has only {count} lines)")
            });
        }
        Ok(bounded(wanted, "read the rest with `from` and `lines`"))
    }

    pub fn list(&self, path: &str) -> Result<String, String> {
        let from = self.there(path)?;
        if from.is_file() {
            return Ok(path.to_owned());
        }
        let mut names = Vec::new();
        for file in files(&from) {
            if names.len() == MOST_FILES {
                names.push(format!("(there are more than {MOST_FILES}; list a folder of them)"));
                break;
            }
            names.push(self.shown(&file));
        }
        Ok(if names.is_empty() { "(no files)".to_owned() } else { names.join("\n") })
    }

    pub fn search(&self, path: &str, pattern: &str) -> Result<String, String> {
        let pattern = Regex::new(pattern).map_err(|why| {
            let why = why.to_string();
            format!("The pattern can't be used: {}", why.lines().last().unwrap_or(&why))
        })?;
        let from = self.there(path)?;
        let mut hits: Vec<String> = Vec::new();
        for file in files(&from) {
            let Ok(text) = self.text(&self.shown(&file)) else { continue };
            let name = self.shown(&file);
            for (n, line) in text.lines().enumerate().filter(|(_, line)| pattern.is_match(line)) {
                if hits.len() == MOST_HITS {
                    hits.push(format!("(there are more than {MOST_HITS}; search more exactly)"));
                    return Ok(hits.join("\n"));
                }
                let line: String = line.chars().take(LONGEST_LINE).collect();
                hits.push(format!("{name}:{}: {line}", n + 1));
            }
        }
        Ok(if hits.is_empty() { "(nothing was found)".to_owned() } else { hits.join("\n") })
    }

    pub fn write(&self, path: &str, content: &str) -> Result<String, String> {
        let place = self.place(path)?;
        let new = if place.exists() { "replaced" } else { "new" };
        put(&place, path, content)?;
        Ok(format!("Wrote {path} ({new}, {} bytes).", content.len()))
    }

    pub fn edit(&self, path: &str, old: &str, new: &str, places: Places) -> Result<String, String> {
        let text = self.text(path)?;
        if old.is_empty() {
            return Err("`old` is empty; to write a whole file, use `write`.".to_owned());
        }
        let count = text.matches(old).count();
        match (count, places) {
            (0, _) => {
                return Err(format!(
                    "`old` is not in {path}. It must be the exact text, spaces and all; read the file again."
                ));
            }
            (1, _) | (_, Places::All) => {}
            (count, Places::TheOnly) => {
                return Err(format!(
                    "`old` is {count} times in {path}. Give more of the text around it, or set `all`."
                ));
            }
        }
        let place = self.place(path)?;
        put(&place, path, &text.replace(old, new))?;
        Ok(match count {
            1 => format!("Changed {path}."),
            count => format!("Changed {path} in {count} places."),
        })
    }

    fn text(&self, path: &str) -> Result<String, String> {
        let place = self.there(path)?;
        let about = fs::metadata(&place).map_err(|why| told(path, &why))?;
        if !about.is_file() {
            return Err(format!("{path} is not a file."));
        }
        if about.len() > LARGEST {
            return Err(format!("{path} is too large to be read ({} bytes).", about.len()));
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(&place).map_err(|why| told(path, &why))?;
        file.take(LARGEST).read_to_end(&mut bytes).map_err(|why| told(path, &why))?;
        if bytes.iter().take(8000).any(|byte| *byte == 0) {
            return Err(format!("{path} is not a text file."));
        }
        String::from_utf8(bytes).map_err(|_| format!("{path} is not a text in UTF-8."))
    }

    /// Something that is there, links followed, and still below.
    fn there(&self, path: &str) -> Result<PathBuf, String> {
        let place = self.root.join(path).canonicalize().map_err(|why| told(path, &why))?;
        if place.starts_with(&self.root) { Ok(place) } else { Err(leads_out(path)) }
    }

    /// Where a file may be written, its folders made.
    fn place(&self, path: &str) -> Result<PathBuf, String> {
        let place = self.root.join(path);
        let folder = place.parent().unwrap_or(&self.root);
        // The nearest folder that is there decides where the rest would be made.
        let near = folder.ancestors().find(|above| above.symlink_metadata().is_ok());
        let real = near.unwrap_or(&self.root).canonicalize().map_err(|why| told(path, &why))?;
        if !real.starts_with(&self.root) {
            return Err(leads_out(path));
        }
        fs::create_dir_all(folder).map_err(|why| told(path, &why))?;
        match place.symlink_metadata() {
            Ok(about) if about.is_symlink() => {
                Err(format!("{path} is a link, and is not written through."))
            }
            Ok(about) if !about.is_file() => Err(format!("{path} is not a file.")),
            _ => Ok(place),
        }
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

fn files(from: &Path) -> impl Iterator<Item = PathBuf> {
    let mut walk = WalkBuilder::new(from);
    walk.hidden(false).parents(true).git_global(false).require_git(false).follow_links(false);
    walk.sort_by_file_name(Ord::cmp);
    walk.filter_entry(|entry| entry.file_name() != ".git");
    let entries = walk.build().flatten();
    entries
        .filter(|e| e.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
}

fn put(place: &Path, path: &str, content: &str) -> Result<(), String> {
    fs::write(place, content).map_err(|why| told(path, &why))
}

fn told(path: &str, why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => format!("{path} is not there."),
        _ => format!("{path}: {why}."),
    }
}

fn leads_out(path: &str) -> String {
    format!("{path} leads out of the project folder by a link, and is not used.")
}

fn bounded(mut text: String, how: &str) -> String {
    if text.len() > MOST_BYTES {
        let left_out = text.len() - MOST_BYTES;
        let end = (0..=MOST_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        text.truncate(end);
        // Writing into a string can't fail.
        let _ = write!(text, "\n[… {left_out} bytes more; {how}]");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk() -> (tempfile::TempDir, Desk) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("tree");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(root.join("src/a.py"), "one\ntwo\nthree\n").unwrap();
        fs::write(root.join(".git/config"), "secret = one\n").unwrap();
        fs::write(root.join(".gitignore"), "built/\n").unwrap();
        fs::create_dir_all(root.join("built")).unwrap();
        fs::write(root.join("built/b.py"), "one\n").unwrap();
        fs::write(dir.path().join("outside"), "one\n").unwrap();
        let desk = Desk::at(&root).unwrap();
        (dir, desk)
    }

    const ALL: Lines = Lines { from: 1, most: None };

    #[test]
    fn files_are_read_listed_and_searched() {
        let (_dir, desk) = desk();
        assert_eq!(desk.read("src/a.py", ALL).unwrap(), "one\ntwo\nthree\n");
        let some = Lines { from: 2, most: Some(1) };
        assert_eq!(desk.read("src/a.py", some).unwrap(), "two\n");
        assert_eq!(
            desk.read("src/a.py", Lines { from: 9, most: None }).unwrap(),
            "(the file has only 3 lines)"
        );
        assert_eq!(desk.list("").unwrap(), ".gitignore\nsrc/a.py");
        assert_eq!(desk.search("", "^t").unwrap(), "src/a.py:2: two\nsrc/a.py:3: three");
        assert_eq!(desk.search("", "nowhere").unwrap(), "(nothing was found)");
        assert!(desk.search("", "(").unwrap_err().contains("can't be used"));
        assert_eq!(desk.read("none", ALL).unwrap_err(), "none is not there.");
        assert!(desk.read("src", ALL).unwrap_err().contains("not a file"));
    }

    #[test]
    fn files_are_written_and_edited() {
        let (_dir, desk) = desk();
        assert_eq!(
            desk.write("new/deep/c.py", "x").unwrap(),
            "Wrote new/deep/c.py (new, 1 bytes)."
        );
        desk.edit("src/a.py", "two", "2", Places::TheOnly).unwrap();
        assert_eq!(desk.read("src/a.py", ALL).unwrap(), "one\n2\nthree\n");
        assert!(desk.edit("src/a.py", "e", "E", Places::TheOnly).unwrap_err().contains("3 times"));
        assert!(desk.edit("src/a.py", "e", "E", Places::All).unwrap().contains("3 places"));
        assert!(
            desk.edit("src/a.py", "zzz", "", Places::TheOnly).unwrap_err().contains("is not in")
        );
    }

    #[test]
    fn no_link_leads_out() {
        let (dir, desk) = desk();
        let root = dir.path().join("tree");
        std::os::unix::fs::symlink(dir.path(), root.join("up")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("outside"), root.join("file")).unwrap();
        std::os::unix::fs::symlink("src/a.py", root.join("inside")).unwrap();
        for told in [
            desk.read("up/outside", ALL),
            desk.read("file", ALL),
            desk.list("up"),
            desk.search("up", "one"),
            desk.write("up/new", "x"),
            desk.write("up/deep/new", "x"),
            desk.write("file", "x"),
            desk.write("inside", "x"),
            desk.edit("file", "one", "x", Places::All),
        ] {
            let told = told.unwrap_err();
            assert!(told.contains("link"), "{told}");
        }
        assert_eq!(desk.read("inside", ALL).unwrap(), "one\ntwo\nthree\n");
        assert_eq!(fs::read_to_string(dir.path().join("outside")).unwrap(), "one\n");
        assert_eq!(desk.list("").unwrap(), ".gitignore\nsrc/a.py");
    }
}
