use std::collections::BTreeMap;

#[derive(Default)]
pub struct Cart {
    pub items: BTreeMap<String, u32>,
}

impl Cart {
    pub fn add(&mut self, name: &str, count: u32) {
        *self.items.entry(name.to_owned()).or_default() += count;
    }
}
