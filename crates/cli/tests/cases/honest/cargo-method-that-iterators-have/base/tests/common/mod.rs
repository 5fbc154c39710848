use x::Store;

pub fn filled() -> Store {
    let mut store = Store::default();
    store.add("apple", 3);
    store.add("pear", 1);
    store
}
