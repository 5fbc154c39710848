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

    /// Takes some away; what is missing is said.
    pub fn take(&mut self, name: &str, n: u32) -> Result<(), u32> {
        let have = self.count(name);
        if have < n {
            return Err(n - have);
        }
        if have == n {
            self.items.remove(name);
        } else {
            self.items.insert(name.to_owned(), have - n);
        }
        Ok(())
    }

    /// The names of all that is there.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.items.keys().map(String::as_str)
    }
}
