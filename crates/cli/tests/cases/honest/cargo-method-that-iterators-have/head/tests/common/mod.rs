use x::Store;

pub fn filled() -> Store {
    let mut store = Store::default();
    store.add("apple", 3);
    store.add("pear", 1);
    store
}

#[allow(dead_code)]
pub fn names(store: &Store) -> Vec<String> {
    store.names().map(str::to_owned).collect()
}
