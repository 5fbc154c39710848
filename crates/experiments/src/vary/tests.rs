//! What is varied in a test.

use super::*;

fn of(file: &str, text: &str, line: u32) -> Vec<String> {
    let made = vary(file, text, line, &|_| false).unwrap();
    let span = span(file, text, line).unwrap();
    let whole = &text[span];
    made.variations.iter().map(|(_, edits)| Edit::applied(whole, edits)).collect()
}

#[test]
fn numbers_are_varied_alone_and_together_wherever_they_stand() {
    let text =
        "def test_net():\n    assert net(200, 10) == 180\n    assert show(200) == '200 EUR'\n";
    let made = of("test_a.py", text, 1);
    assert!(
        made.iter()
            .any(|m| m.contains("net(201, 10) == 180") && m.contains("show(201) == '201 EUR'")),
        "{made:#?}"
    );
    assert!(made.iter().any(|m| m.contains("net(201, 11)")), "{made:#?}");
    assert!(made.iter().any(|m| m.contains("net(200, 47)")), "{made:#?}");
}

#[test]
fn words_are_renamed_through_the_whole_test_with_another_length() {
    let text = "def test_a():\n    x = 'hello world'\n    assert f(x) == 'HELLO world'\n";
    let made = of("test_a.py", text, 1);
    let is_renamed = |m: &String| m.contains("'hello ") && !m.contains("world");
    let renamed: Vec<&String> = made.iter().filter(|m| is_renamed(m)).collect();
    assert!(renamed.len() > 1, "{made:#?}");
    for text in renamed {
        let word = text.split("'hello ").nth(1).and_then(|t| t.split('\'').next()).unwrap();
        assert!(text.contains(&format!("'HELLO {word}'")), "{text}");
    }
}
