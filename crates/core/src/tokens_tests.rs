use super::count_tokens;

/// Texts with their counts by `o200k_base` and `cl100k_base`.
const RECORDED: [(&str, u64, u64); 9] = [
    (
        "Proctor runs the tests itself, reads the real results, and lands only what it can prove.",
        20,
        20,
    ),
    (
        "pub fn count_tokens(text: &str) -> u64 {\n    text.chars().map(|c| u64::from(c.is_ascii())).sum()\n}\n",
        33,
        32,
    ),
    (
        "def test_parse_config(tmp_path):\n    path = tmp_path / \"settings.toml\"\n    assert load_settings(path).max_attempts == 3\n",
        31,
        30,
    ),
    (
        "{\"status\": \"READY_FOR_REVIEW\", \"fix_description\": \"bounds check\", \"notes\": \"\"}",
        22,
        22,
    ),
    (
        "<testcase classname=\"tests.test_a\" name=\"test_b\" time=\"0.001\"><failure message=\"assert 3 == 4\"/></testcase>",
        33,
        33,
    ),
    ("软件测试是一种用来促进鉴定软件的正确性、完整性、安全性和质量的过程。", 23, 36),
    ("Тестирование программного обеспечения — процесс исследования программного продукта.", 13, 27),
    ("3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b", 42, 41),
    ("🎉🚀✅ done", 6, 9),
];

#[test]
fn s1_23_the_estimate_is_never_far_below_the_truth_nor_absurdly_above() {
    for (text, o200k, cl100k) in RECORDED {
        let (estimate, truth) = (count_tokens(text), o200k.max(cl100k));
        assert!(
            estimate * 10 >= truth * 9 && estimate <= truth * 2,
            "{estimate} for {truth}: {text}"
        );
    }
}

#[test]
fn nothing_has_no_tokens_and_more_text_never_has_fewer() {
    assert_eq!(count_tokens(""), 0);
    let text = "fn main() { println!(\"größe 大小 🎉 0xDEADBEEF\"); }\n".repeat(3);
    let mut last = 0;
    for (end, _) in text.char_indices() {
        let tokens = count_tokens(&text[..end]);
        assert!(tokens >= last, "at {end}");
        last = tokens;
    }
}
