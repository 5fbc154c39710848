//! A folder below Proctor's home that is gone with its value.

use anyhow::{Context, Result};
use proctor_engine::Shop;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(shop: &Shop) -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{}-{n}", shop.now().0, std::process::id());
        let path = shop.home.root().join("packs").join(name);
        std::fs::create_dir_all(&path)
            .with_context(|| format!("could not make {}", path.display()))?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What can't be removed now is no harm: its name is used once.
        let _ = proctor_world::tree::remove_tree(&self.0);
    }
}
