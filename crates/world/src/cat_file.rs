//! Many objects read with one process. Must not hold more than one of them: a blob may be larger than memory.

use crate::git::{Git, GitError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;

/// One object of `cat-file --batch`.
pub enum Object<'a> {
    Missing,
    Found { size: u64, bytes: &'a mut dyn Read },
}

impl Git {
    /// Reads many objects with one process. `each` gets the position in `names` and must not keep the bytes;
    /// what it leaves unread is skipped.
    pub fn read_objects(
        &self,
        names: &[&str],
        each: &mut dyn FnMut(usize, Object<'_>) -> io::Result<()>,
    ) -> Result<(), GitError> {
        if names.is_empty() {
            return Ok(());
        }
        let call = self.call(&["cat-file", "--batch", "--buffer"]);
        let broken = |source| call.broken(source);
        let mut child = call.spawn(Stdio::piped(), Stdio::null())?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(broken(io::Error::other("no pipe")));
        };
        let read = thread::scope(|scope| {
            scope.spawn(move || {
                let mut all = String::new();
                for name in names {
                    all.push_str(name);
                    all.push('\n');
                }
                // A git that ended early shows itself on the reading side.
                let _ = stdin.write_all(all.as_bytes());
            });
            let mut stdout = BufReader::with_capacity(1 << 16, stdout);
            let read = (0..names.len()).try_for_each(|at| read_object(&mut stdout, at, each));
            if read.is_err() {
                let _ = child.kill();
            }
            read
        });
        let _ = child.wait();
        read.map_err(broken)
    }
}

fn read_object(
    from: &mut impl BufRead,
    at: usize,
    each: &mut dyn FnMut(usize, Object<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut header = Vec::new();
    from.read_until(b'\n', &mut header)?;
    let header = String::from_utf8_lossy(&header).into_owned();
    let header = header.trim_end();
    if header.is_empty() {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
    }
    if header.ends_with(" missing") || header.ends_with(" ambiguous") {
        return each(at, Object::Missing);
    }
    let size: u64 = header
        .rsplit(' ')
        .next()
        .and_then(|size| size.parse().ok())
        .ok_or_else(|| io::Error::other(format!("unexpected line `{header}`")))?;
    let mut bytes = from.by_ref().take(size);
    each(at, Object::Found { size, bytes: &mut bytes })?;
    io::copy(&mut bytes, &mut io::sink())?;
    if bytes.limit() > 0 {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
    }
    let mut newline = [0];
    from.read_exact(&mut newline)
}
