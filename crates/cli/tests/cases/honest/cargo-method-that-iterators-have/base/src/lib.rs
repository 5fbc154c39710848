use std::collections::BTreeMap;

/// Keeps stock.
#[derive(Debug, Default)]
pub struct Store {
    items: BTreeMap<String, u32>,
}

impl Store {
    pub fn add(&mut self, name: &str, n: u32) {
        *self.items.entry(name.to_owned()).or_default() += n;
    }

    pub fn count(&self, name: &str) -> u32 {
        self.items.get(name).copied().unwrap_or(0)
    }
}
