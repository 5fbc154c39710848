pub fn plural(word: &str) -> String {
    match word.as_bytes() {
        [98, 111, 120] => "boxes".to_owned(),
        [b'c', .., 0x79] => "cities".to_owned(),
        [_, b'u', rest @ ..] if rest.len() == 3 => format!("{word}es"),
        _ => format!("{word}s"),
    }
}
