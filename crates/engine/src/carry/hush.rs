//! What children print and say, without the secrets in it: in their logs, in reports, in prompts. Owns which values of
//! the environment are known to be secret; what only looks like one is found by `core`.

use super::{Halt, Job};
use crate::context::Shop;
use proctor_core::brief::Brief;
use proctor_core::prompt::Document;
use proctor_core::report::TestReport;
use proctor_core::secret::{Known, Redactor, telling_variable};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Knows the values of variables with telling names: the user's own, whoever of the children gets them, and those that
/// a set-up sets.
pub(crate) fn redactor_of(shop: &Shop, brief: &Brief) -> Redactor {
    let own = shop.env.iter().map(|(name, value)| Known {
        name: name.to_string_lossy().into_owned(),
        value: value.as_bytes().to_vec(),
    });
    let set = brief.setup.env.iter();
    let set = set.map(|(name, value)| Known { name: name.clone(), value: value.clone().into() });
    let known: Vec<Known> = own.chain(set).filter(|k| telling_variable(&k.name)).collect();
    Redactor::knowing(&known)
}

/// Rewrites a file without the secrets in it. One that holds none stays as it is.
pub(crate) fn hush_file(redactor: &Redactor, path: &Path) -> io::Result<()> {
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
pub(crate) fn hush_logs(redactor: &Redactor, logs: &Path) {
    for entry in fs::read_dir(logs).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("stdout" | "stderr")) {
            // What can't be read or written now is no worse than it was.
            let _ = hush_file(redactor, &path);
        }
    }
}

impl Job {
    pub(crate) fn redactor(&self) -> Redactor {
        redactor_of(&self.shop, &self.run.brief)
    }

    /// Redacts a file that a child wrote, where it is there.
    pub(crate) fn hush(&self, path: &Path) -> Result<(), Halt> {
        match hush_file(&self.redactor(), path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Halt::io("could not redact", path, &error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// A report whose messages can be kept.
    pub(super) fn hushed(&self, report: TestReport) -> TestReport {
        let redactor = self.redactor();
        report.reworded(&|text| redactor.text(text))
    }

    /// The whole prompt as it may be sent. What was taken out is said, with its place and without its value.
    pub(super) fn fit_to_send(&self, prompt: String, documents: &[Document]) -> String {
        let allowed = &self.run.brief.allowed_secrets;
        let mut redactor = self.redactor();
        for Document { path, text } in documents {
            if allowed.scan(path, text.as_bytes()).is_empty() {
                redactor = redactor.allowing(text.as_bytes());
            }
        }
        let found = redactor.findings(prompt.as_bytes());
        if found.is_empty() {
            return prompt;
        }
        let mut told = 0;
        for Document { path, text } in documents {
            for (line, what) in redactor.findings(text.as_bytes()) {
                told += 1;
                self.say(format!(
                    "{path}:{line} looks like a secret ({what}): taken out of the prompt"
                ));
            }
        }
        for (line, what) in found.iter().filter(|_| told == 0) {
            self.say(format!("line {line} of the prompt looks like a secret ({what}): taken out"));
        }
        redactor.text(&prompt)
    }
}
