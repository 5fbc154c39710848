use super::*;

fn masked(source: &str) -> String {
    Code::read(source).text().to_owned()
}

fn names(source: &str) -> Vec<(String, usize, usize)> {
    let functions = Code::read(source).functions();
    functions.into_iter().map(|f| (f.name, f.first, f.last)).collect()
}

#[test]
fn a_mask_keeps_every_line_and_column() {
    let source = "let a = \"x{y\"; // {\nlet b = '{';\n/* {\n { */ let c = 1;\n";
    let masked = masked(source);
    assert_eq!(masked.len(), source.len());
    assert_eq!(masked.lines().count(), source.lines().count());
    assert_eq!(masked, "let a = \"   \";     \nlet b = ' ';\n    \n      let c = 1;\n");
}

#[test]
fn escapes_do_not_end_a_string_or_a_character() {
    assert_eq!(masked(r#"f("a\"{", '\'', b'\\', "\\") {"#).matches('{').count(), 1);
    assert_eq!(masked(r"'\u{7b}' {").matches('{').count(), 1);
}

#[test]
fn lifetimes_and_labels_are_code() {
    let source =
        "fn f<'a, 'b: 'a>(x: &'a str, y: &'b str) -> &'static str { 'out: loop { break 'out; } }";
    assert_eq!(masked(source), source);
}

#[test]
fn a_quote_character_is_not_the_beginning_of_a_string() {
    assert_eq!(masked("m('\"', 'x', \"{\")"), "m(' ', ' ', \" \")");
}

#[test]
fn raw_strings_end_at_their_own_hashes() {
    for source in [
        r##"let s = r#"{ " { "#; {"##,
        r###"let s = br##"{ "# { "##; {"###,
        r##"let s = cr#"{"#; {"##,
        r#"let s = r"{\"; {"#,
    ] {
        assert_eq!(masked(source).matches('{').count(), 1, "{source}");
        assert!(masked(source).ends_with("; {"), "{source}");
    }
}

#[test]
fn a_word_that_ends_in_r_and_a_raw_identifier_are_not_raw_strings() {
    assert_eq!(masked("attr\"{\""), "attr\" \"");
    assert_eq!(masked("r#type { }"), "r#type { }");
    assert_eq!(masked("abr\"\\\"{\" }"), "abr\"   \" }");
}

#[test]
fn block_comments_nest() {
    assert_eq!(masked("/* a /* { */ { */ }").trim(), "}");
}

#[test]
fn an_open_string_or_comment_ends_with_the_file() {
    for source in ["\"{", "/* {", "r#\"{\"", "// {", "'\\", "'", "r", "r#", "/"] {
        assert!(!masked(source).contains('{'), "{source}");
    }
}

#[test]
fn functions_have_their_names_and_their_lines() {
    let source = "\
pub(crate) const fn one() -> u8 {
    1
}
impl X {
    async fn two<T>(&self, f: fn(u8) -> u8) -> Grid<{ N }>
    where
        T: Fn() -> [u8; { 3 }],
    {
        if x { \"}\" } else { '}' }
    }
}
";
    assert_eq!(names(source), [("one".to_owned(), 1, 3), ("two".to_owned(), 5, 10)]);
}

#[test]
fn a_signature_without_a_body_is_no_function() {
    assert_eq!(names("trait T { fn a(&self) -> [u8; 3]; fn b(); }"), []);
    assert_eq!(names("extern \"C\" { fn c(x: u8); }"), []);
    assert_eq!(names("type F = fn(u8) -> u8; struct S { f: fn() }"), []);
    assert_eq!(names("let r#fn = 1; // fn x() {}\n\"fn y() {}\""), []);
    assert_eq!(names("macro_rules! m { ($n:ident) => { fn $n() {} } }"), []);
}

#[test]
fn a_function_in_a_function_is_listed_too() {
    let source = "fn outer() {\n    fn inner() {\n    }\n}\n";
    assert_eq!(names(source), [("outer".to_owned(), 1, 4), ("inner".to_owned(), 2, 3)]);
}

#[test]
fn a_function_that_never_ends_does_not_stop_the_scan() {
    assert_eq!(names("fn a() { fn b() {}"), [("b".to_owned(), 1, 1)]);
}

#[test]
fn test_modules_are_known_with_their_attributes_and_to_their_end() {
    let source = "\
fn a() {}
#[cfg(test)]
#[allow(dead_code)]
mod tests {
    fn b() {}
}
fn c() {}
#[cfg(test)]
#[path = \"x_tests.rs\"]
mod more;
fn d() {}
";
    let code = Code::read(source);
    let outside: Vec<usize> = code.lines().map(|(line, _)| line).collect();
    assert_eq!(outside, [1, 7, 11]);
    assert_eq!(code.test_lines(), 8);
}

#[test]
fn only_modules_under_cfg_test_count_as_tests() {
    let source = "#[cfg(test)]\nfn a() {}\n#[cfg(not(test))]\nmod b {}\n#[cfg(unix)]\nmod c {}\n";
    assert_eq!(Code::read(source).test_lines(), 0);
    let quoted = "const S: &str = \"\n#[cfg(test)]\nmod x {\n\";\n";
    assert_eq!(Code::read(quoted).test_lines(), 0);
}

#[test]
fn a_word_has_edges() {
    assert!(has_word("let t = Instant::now();", "Instant"));
    assert!(has_word("Instant", "Instant"));
    assert!(!has_word("InstantLike, MyInstant, my_Instant", "Instant"));
    assert!(has_word("x = todo!(1)", "todo!("));
    assert!(!has_word("my_todo!(1)", "todo!("));
    assert!(has_word("MyInstant and Instant", "Instant"));
}
