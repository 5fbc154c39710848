//! What children print and say, without the secrets in it: in their logs, in reports, in prompts. Owns which values of
//! the environment are known to be secret; what only looks like one is found by `core`.

use crate::Shop;
use crate::{Halt, Lab};
use proctor_core::brief::Setup;
use proctor_core::report::TestReport;
use proctor_core::secret::{Known, Redactor, telling_variable};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Knows the values of variables with telling names: the user's own, whoever of the children gets them, and those that
/// a set-up sets.
pub fn redactor_of(shop: &Shop, setup: &Setup) -> Redactor {
    let own = shop.env.iter().map(|(name, value)| Known {
        name: name.to_string_lossy().into_owned(),
        value: value.as_bytes().to_vec(),
    });
    let set = setup.env.iter();
    let set = set.map(|(name, value)| Known { name: name.clone(), value: value.clone().into() });
    let known: Vec<Known> = own.chain(set).filter(|k| telling_variable(&k.name)).collect();
    Redactor::knowing(&known)
}

/// Rewrites a file without the secrets in it. One that holds none stays as it is.
pub fn hush_file(redactor: &Redactor, path: &Path) -> io::Result<()> {
    let part = path.with_extension("redacting");
    let mut file = File::open(path)?;
    let out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
    let mut out = BufWriter::new(out);
    let mut stream = redactor.stream();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        out.write_all(&stream.push(buffer.get(..count).unwrap_or_default()))?;
    }
    let end = stream.finish();
    out.write_all(&end.rest)?;
    out.flush()?;
    drop(out);
    // Whoever follows the old file reads on in it: it is replaced, not written over.
    if end.hidden > 0 { fs::rename(&part, path) } else { fs::remove_file(&part) }
}

/// Redacts what an effect that was cut off left in its logs.
pub fn hush_logs(redactor: &Redactor, logs: &Path) {
    for entry in fs::read_dir(logs).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("stdout" | "stderr")) {
            // What can't be read or written now is no worse than it was.
            let _ = hush_file(redactor, &path);
        }
    }
}

impl Lab {
    pub fn redactor(&self) -> Redactor {
        redactor_of(&self.shop, &self.setting.setup)
    }

    /// Redacts a file that a child wrote, where it is there.
    pub fn hush(&self, path: &Path) -> Result<(), Halt> {
        match hush_file(&self.redactor(), path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Halt::io("could not redact", path, &error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// A report whose messages can be kept.
    pub fn hushed(&self, report: TestReport) -> TestReport {
        let redactor = self.redactor();
        report.reworded(&|text| redactor.text(text))
    }
}
