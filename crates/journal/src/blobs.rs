//! Blobs: test output, diffs, prompts and other bytes too long for an event. Each is a compressed file named by
//! the hash of what is in it; it is written once and never changed, and what is read is always checked.

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use proctor_core::words::BlobId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// The blobs below a home folder. Any number of processes may use them at once.
#[derive(Clone, Debug)]
pub struct Blobs {
    root: PathBuf,
}

#[derive(Debug, Error)]
pub enum BlobError {
    #[error("the blob folder {} can't be used: {source}\nhint: check that you may write there and that the disk is not full", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("could not store {what}: {source}\nhint: check that the disk is not full")]
    Write { what: String, source: io::Error },
    #[error("{} can't be read: {source}", path.display())]
    Source { path: PathBuf, source: io::Error },
    #[error("{id:?} is not the id of a blob")]
    BadId { id: BlobId },
    #[error("blob {id} is missing: there is no {}", path.display())]
    Missing { id: BlobId, path: PathBuf },
    #[error("blob {id} is damaged: {} {why}\nhint: put a copy of the file back; the run's facts are not affected", path.display())]
    Damaged { id: BlobId, path: PathBuf, why: String },
    #[error("blob {id} does not hold the expected JSON: {source}")]
    NotJson { id: BlobId, source: serde_json::Error },
    #[error("a value can't be written as JSON: {source}")]
    Encode { source: serde_json::Error },
}

impl Blobs {
    pub fn open(home: &Path) -> Result<Self, BlobError> {
        let root = home.join("blobs");
        let unfinished = root.join("tmp");
        fs::create_dir_all(&unfinished)
            .map_err(|source| BlobError::Folder { path: unfinished.clone(), source })?;
        Ok(Self { root })
    }

    /// Stores bytes. The same bytes are stored once, however often they come.
    pub fn put(&self, bytes: &[u8]) -> Result<BlobId, BlobError> {
        let id = BlobId::new(blake3::hash(bytes).to_hex().as_str());
        if self.get(&id).is_ok() {
            return Ok(id);
        }
        self.store(bytes, "a blob")
    }

    /// Stores a file's bytes without holding them all in memory.
    pub fn put_file(&self, path: &Path) -> Result<BlobId, BlobError> {
        let file = File::open(path)
            .map_err(|source| BlobError::Source { path: path.to_owned(), source })?;
        self.store(file, &path.display().to_string())
    }

    /// The bytes of a blob, checked against its id.
    pub fn get(&self, id: &BlobId) -> Result<Vec<u8>, BlobError> {
        let path = self.path(id)?;
        let damaged = |why: String| BlobError::Damaged { id: id.clone(), path: path.clone(), why };
        let file = File::open(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => BlobError::Missing { id: id.clone(), path: path.clone() },
            _ => BlobError::Source { path: path.clone(), source },
        })?;
        let mut bytes = Vec::new();
        DeflateDecoder::new(file)
            .read_to_end(&mut bytes)
            .map_err(|error| damaged(format!("can't be unpacked ({error})")))?;
        if blake3::hash(&bytes).to_hex().as_str() != id.as_str() {
            return Err(damaged("holds other bytes than its name says".to_owned()));
        }
        Ok(bytes)
    }

    pub fn put_json<T: Serialize>(&self, value: &T) -> Result<BlobId, BlobError> {
        let bytes = serde_json::to_vec(value).map_err(|source| BlobError::Encode { source })?;
        self.put(&bytes)
    }

    pub fn get_json<T: DeserializeOwned>(&self, id: &BlobId) -> Result<T, BlobError> {
        serde_json::from_slice(&self.get(id)?)
            .map_err(|source| BlobError::NotJson { id: id.clone(), source })
    }

    /// Where a blob's file stands. An id becomes a path here, so anything but a hash is refused.
    fn path(&self, id: &BlobId) -> Result<PathBuf, BlobError> {
        let hex = id.as_str();
        let is_hash = hex.len() == 64
            && hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if !is_hash {
            return Err(BlobError::BadId { id: id.clone() });
        }
        let (folder, name) = hex.split_at(2);
        Ok(self.root.join(folder).join(name))
    }

    /// Writes to a name of its own, syncs, then renames: a crash leaves the whole blob or none. A damaged blob
    /// of the same name is replaced.
    fn store(&self, mut source: impl Read, what: &str) -> Result<BlobId, BlobError> {
        let unfinished = Unfinished::new(&self.root.join("tmp"));
        let failed = |source| BlobError::Write { what: what.to_owned(), source };
        let id = unfinished.fill(&mut source).map_err(failed)?;
        let path = self.path(&id)?;
        if self.get(&id).is_ok() {
            return Ok(id);
        }
        let folder = path.parent().unwrap_or(&self.root);
        let rename = || -> io::Result<()> {
            fs::create_dir_all(folder)?;
            fs::rename(&unfinished.path, &path)?;
            // A name is on the disk only when its folder is.
            File::open(folder)?.sync_all()?;
            File::open(&self.root)?.sync_all()
        };
        rename().map_err(failed)?;
        Ok(id)
    }
}

/// A blob that is being written; removed unless it was renamed away.
struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    fn new(folder: &Path) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { path: folder.join(format!("{}-{count}", std::process::id())) }
    }

    /// Compresses everything from `source` into the file and returns its hash.
    fn fill(&self, source: &mut impl Read) -> io::Result<BlobId> {
        // Truncated, not refused: a dead process may have had the same number and left its file.
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&self.path)?;
        let mut packed = DeflateEncoder::new(file, Compression::default());
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let count = match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hasher.update(&buffer[..count]);
            packed.write_all(&buffer[..count])?;
        }
        packed.finish()?.sync_all()?;
        Ok(BlobId::new(hasher.finalize().to_hex().as_str()))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Gone already when it was renamed; a leftover takes room and does no harm.
        let _ = fs::remove_file(&self.path);
    }
}
