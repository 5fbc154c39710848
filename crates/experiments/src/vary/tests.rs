//! What is varied in a test.

use super::*;

fn about(enumerations: &Enumerations) -> About<'_> {
    let none = &|_: &str| false;
    About { knows: none, is_new: &|_| true, is_file: none, is_name: none, enumerations }
}

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
    assert!(made.iter().any(|m| m.contains("net(200, 137)")), "{made:#?}");
}

#[test]
fn a_member_of_an_enumeration_becomes_each_other_one_alone_and_all_together() {
    let mut known = Enumerations::default();
    known.read("a.py", "class Size(Enum):\n    S = 1\n    L = 2\n\n\nclass Way(Enum):\n    IN = 1\n    OUT = 2\n    UP = 3\n", &["Size", "Way"].into());
    let text =
        "def test_a():\n    assert f(Size.S, Way.IN) == 4\n    assert f(Size.S, Way.UP) == 5\n";
    let made = vary_about("test_a.py", text, 1, &about(&known)).unwrap();
    let of = |(v, edits): &(Variation, Vec<Edit>)| {
        (v.was.clone(), Edit::applied(text.trim_end(), edits))
    };
    let members = made.variations.iter().filter(|(v, _)| v.sort == Sort::Member);
    let members: Vec<(String, String)> = members.map(of).collect();
    let wanted = "assert f(Size.L, Way.IN) == 4\n    assert f(Size.L, Way.UP)";
    assert!(members.iter().any(|(was, t)| was == "Size.S" && t.contains(wanted)), "{members:#?}");
    let is_case = |t: &String| t.contains("Way.UP) == 4") || t.contains("Way.IN) == 5");
    assert!(!members.iter().any(|(_, t)| is_case(t)), "{members:#?}");
    let wanted = "f(Size.S, Way.OUT) == 4\n    assert f(Size.S, Way.UP)";
    assert!(members.iter().any(|(was, t)| was == "Way.IN" && t.contains(wanted)), "{members:#?}");
    assert!(members.iter().any(|(was, _)| was == "Size.S, Way.IN, Way.UP"), "{members:#?}");
}

#[test]
fn the_keys_of_a_mapping_that_is_given_stand_in_another_order() {
    let text = "def test_a():\n    assert f({'a': {'x': 1, 'y': 2}, 'b': 3}) == {'c': 4, 'd': 5}\n";
    let made = of("test_a.py", text, 1);
    let turned = "f({'b': 3, 'a': {'x': 1, 'y': 2}}) == {'c': 4, 'd': 5}";
    assert!(made.iter().any(|m| m.contains(turned)), "{made:#?}");
    let text =
        "const c = 1;\ntest('a', () => {\n  expect(f({ a: { x: 1, y: 2 }, c })).toBe(3);\n});\n";
    let made = of("a.test.js", text, 2);
    assert!(made.iter().any(|m| m.contains("f({ c, a: { x: 1, y: 2 } })")), "{made:#?}");
}

#[test]
fn a_key_without_quotes_is_a_word_unless_somebody_calls_it_by_name() {
    let text = "test('a', () => {\n  const f = { run: () => 3, strict: true };\n  expect(f({ tom: 7 }, f)).toEqual({ tom: 8 });\n});\n";
    let none = Enumerations::default();
    let about = About { is_name: &|word| word == "strict", ..about(&none) };
    let made = vary_about("a.test.js", text, 1, &about).unwrap();
    let words: BTreeSet<&str> = made.variations.iter().map(|(v, _)| v.was.as_str()).collect();
    assert!(words.contains("tom") && !words.contains("strict") && !words.contains("run"));
    let (_, edits) = made.variations.iter().find(|(v, _)| v.was == "tom").unwrap();
    let other = Edit::applied(text.trim_end(), edits);
    let key = other.split("f({ ").nth(1).and_then(|t| t.split(':').next()).unwrap();
    assert!(other.contains(&format!("toEqual({{ {key}: 8 }})")), "{other}");
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

const NET: &str = "import org.junit.jupiter.api.*;\nclass NetTest {\n    @ParameterizedTest(name = \"row {0}\")\n    @CsvSource({\"200, 10, 180\", \"50, 'a b', 45\"})\n    void rows(int gross, int percent, int net) {\n        assertEquals(net, new Shop().net(gross, percent), \"said\");\n    }\n\n    @Test\n    void plain() {\n        // not 77\n        long big = 10_000L + 0x1fL;\n        char unit = 'k';\n        int[] all = {3, 4, 5};\n        assertEquals(180, net(200, all, 1.50f, \"\"\"\n            text block\n            \"\"\"));\n        assertEquals(List.of(\"x\", \"yy\"), names(List.of(7, 8)), \"said\");\n        assertThat(net(big, unit)).as(\"said\").isEqualTo(9_000L);\n        assertTrue(net(6).equals(\"six\") && net(12) == 13, \"said\");\n        assertThrows(X.class, () -> net(-5), \"said\");\n    }\n}\n";

#[test]
fn literals_of_java_are_inputs_or_expected_wherever_they_stand() {
    let made = vary("src/test/java/NetTest.java", NET, 9, &|_| false).unwrap();
    assert_eq!(
        made.inputs,
        [
            "\n            text block\n            ",
            "1.5",
            "10000",
            "12",
            "200",
            "3",
            "31",
            "4",
            "5",
            "6",
            "7",
            "8",
            "k"
        ]
    );
    assert_eq!(made.expected, ["13", "180", "9000", "six", "x", "yy"]);
    let texts = of("src/test/java/NetTest.java", NET, 9);
    for part in ["10001L", "32L", "'l'", "{3, 4}", "2.0f", "net(201, all"] {
        assert!(texts.iter().any(|t| t.contains(part)), "{part} {texts:#?}");
    }
}

#[test]
fn the_rows_of_a_test_of_java_are_varied_cell_by_cell() {
    let made = vary("src/test/java/NetTest.java", NET, 3, &|_| false).unwrap();
    assert_eq!(made.inputs, ["10", "200", "50", "a b"]);
    assert_eq!(made.expected, ["180", "45"]);
    let texts = of("src/test/java/NetTest.java", NET, 3);
    assert!(texts.iter().any(|t| t.contains("\"201, 10, 180\", \"50, 'a b', 45\"")), "{texts:#?}");
    assert!(texts.iter().any(|t| t.contains("\"201, 11, 180\", \"51, 'e c', 45\"")), "{texts:#?}");
}

#[test]
fn of_a_long_table_the_rows_that_are_new_are_varied() {
    let text = "@pytest.mark.parametrize('a, b', [\n    ([100, 'V'], 'x'),\n    ([999.9, 'V'], 'y'),\n])\ndef test_a(a, b):\n    assert f(*a) == b\n";
    let none = Enumerations::default();
    let about = About { is_new: &|line| line == 3, ..about(&none) };
    let made = vary_about("test_a.py", text, 5, &about).unwrap();
    let span = span("test_a.py", text, 5).unwrap();
    let all: Vec<String> =
        made.variations.iter().map(|(_, e)| Edit::applied(&text[span.clone()], e)).collect();
    // Old rows are not varied; a word that is another is another in them too.
    assert!(all.iter().all(|m| m.contains("([100, '") && m.contains("'], 'x')")), "{all:#?}");
    assert!(all.iter().any(|m| m.contains("([100, 'W'], 'x'),\n    ([999.9, 'W']")), "{all:#?}");
    // One step of its last digit: an edge of rounding is met there.
    assert!(all.iter().any(|m| m.contains("[999.8, 'V']")), "{all:#?}");
}

#[test]
fn words_that_the_change_holds_are_others_at_once_where_they_stand_in_different_lines() {
    let text = "def test_a():\n    assert f('red box') == 1\n    assert f('blue cup') == 2\n";
    let knows = |word: &str| matches!(word, "red" | "blue");
    let made = vary("test_a.py", text, 1, &knows).unwrap();
    let groups: Vec<_> = made.variations.iter().filter(|(v, _)| v.pairs.len() == 2).collect();
    assert_eq!(groups.len(), 3);
    assert!(groups.iter().all(|(v, edits)| v.known && edits.len() == 2 && v.was == "blue, red"));
}

#[test]
fn patterns_and_what_is_expected_go_along_with_the_words_of_an_input() {
    let text = "test('a', () => {\n  const got = show(/^auth\\./i);\n  expect(got).toBe('/^auth/');\n});\n";
    let made = of("a.test.js", text, 1);
    assert!(
        made.iter().any(|m| m.contains("/^bgvj\\./i") || m.contains("/^eavj\\./i")),
        "{made:#?}"
    );
}

#[test]
fn a_name_of_the_test_becomes_another_from_end_to_end() {
    let text =
        "def test_a():\n    class BadLength(list):\n        pass\n    assert f(BadLength())\n";
    let made = of("test_a.py", text, 1);
    assert!(made.iter().any(|m| !m.contains("Bad") && !m.contains("Length")), "{made:#?}");
}

#[test]
fn tables_constants_and_fixtures_around_the_tests_become_others_where_they_are_new() {
    let none = Enumerations::default();
    let about = About { is_new: &|line| line != 2, ..about(&none) };
    let python = "CASES = [\n    ('old', 11),\n    ('new', 12),\n]\n\ndef helper():\n    return 'kept'\n\n@pytest.fixture\ndef given():\n    return 'abc'\n\ndef test_a(given):\n    for case in CASES:\n        assert f(case, 'own') == 1\n";
    let made = other_tables("test_a.py", python, &[14], (&about, 0)).unwrap();
    assert!(
        made.contains("('old', 11)") && made.contains("'kept'") && made.contains("'own'"),
        "{made}"
    );
    assert!(
        !made.contains("'new'") && made.contains(", 11),\n]") && !made.contains("'abc'"),
        "{made}"
    );
    let script = "import { f } from './f';\ndescribe('files', () => {\n  const files = {\n    '/a/john': 'john',\n  };\n  for (const file in files) {\n    it(file, () => {\n      expect(f(file)).toBe(files[file]);\n    });\n  }\n});\n";
    let made = other_tables("a.test.js", script, &[7], (&about, 0)).unwrap();
    assert!(!made.contains("john") && made.contains("'./f'") && made.contains("'files'"), "{made}");
    let go = "package a\nvar cases = []string{\"ab\"}\nvar more = []string{\"cd\"}\nfunc TestA(t *testing.T) {\n\tif f(more[0]) != \"x\" {\n\t\tt.Fatal()\n\t}\n}\n";
    let made = other_tables("a_test.go", go, &[4], (&about, 0)).unwrap();
    assert!(
        made.contains("\"ab\"") && !made.contains("\"cd\"") && made.contains("\"x\""),
        "{made}"
    );
}

#[test]
fn names_of_parameters_and_files_of_the_tree_are_no_inputs() {
    let text = "@pytest.mark.parametrize(('amount', 'want'), [(200, 180), (50, 45)])\ndef test_a(amount, want):\n    assert net(amount, 'rates.json') == want\n";
    let none = Enumerations::default();
    let about = About { is_file: &|name| name == "rates.json", ..about(&none) };
    let made = vary_about("test_a.py", text, 2, &about).unwrap();
    assert!(!made.inputs.iter().any(|i| i == "amount" || i == "rates.json"), "{:?}", made.inputs);
    assert!(made.inputs.contains(&"200".to_owned()), "{:?}", made.inputs);
}

#[test]
fn what_is_given_to_a_test_from_around_it_is_varied_by_name_in_files_of_their_own() {
    let text = "AMOUNT = 200\nOTHER = 77\n\n\nclass Point:\n    pass\n\n\ndef make():\n    return Point(), 30\n\n\n@pytest.fixture\ndef given():\n    return make()\n\n\ndef test_b():\n    assert f(50) == 3\n\n\ndef test_a(given):\n    assert net(AMOUNT, given) == 180\n";
    let made = vary("test_a.py", text, 22, &|_| false).unwrap();
    assert_eq!(made.inputs, ["200", "30"]);
    assert!(made.variations.is_empty(), "{:?}", made.variations);
    let files: Vec<String> = made.around.iter().map(|a| Edit::applied(text, &a.edits)).collect();
    assert!(files.iter().all(|file| file.contains("OTHER = 77") && file.contains("f(50) == 3")));
    assert!(files.iter().any(|file| file.contains("AMOUNT = 201\n") && file.contains(", 30")));
    assert!(files.iter().any(|file| file.contains("AMOUNT = 200\n") && file.contains(", 31")));
    assert!(files.iter().any(|file| !file.contains("Point")));
}

#[test]
fn what_prepares_a_test_of_a_script_and_the_loop_that_makes_it_are_given_to_it() {
    let text = "let given\nbeforeEach(() => {\n  given = [200, 10]\n})\nfor (const want of [180, 7]) {\n  test('a', () => {\n    expect(net(given)).toBe(want)\n  })\n}\n";
    let made = vary("a.test.js", text, 6, &|_| false).unwrap();
    assert_eq!(made.inputs, ["10", "180", "200", "7"]);
    let go = "package a\nvar amount = 200\nfunc TestA(t *testing.T) {\n\tif f(amount) != 3 {\n\t\tt.Fatal()\n\t}\n}\n";
    assert!(vary("a_test.go", go, 3, &|_| false).unwrap().around.is_empty());
}

#[test]
fn what_a_function_around_a_test_is_called_with_is_given_to_it() {
    let text = "check('cut', cut, [\n  ['/foo/bar/', 'bar'],\n]);\nother([['baz']]);\n\nexport function check(name, cut, rows) {\n  for (const row of rows) {\n    it(`${name} ${row}`, () => {\n      expect(cut(row[0])).toBe(row[1]);\n    });\n  }\n}\n";
    let made = vary("a.test.js", text, 8, &|_| false).unwrap();
    let words: Vec<&str> = made.around.iter().map(|a| a.variation.was.as_str()).collect();
    assert!(words.contains(&"foo") && words.contains(&"bar"), "{words:?}");
    assert!(!words.contains(&"baz"), "{words:?}");
}

#[test]
fn a_row_that_the_test_has_already_is_no_other_input() {
    let source = "def test_x():\n    assert f(1000, 3) == 7\n    assert f(1001, 4) == 8\n";
    let made = vary("test_a.py", source, 1, &|_| false).unwrap();
    let stepped = made.variations.iter().filter(|(v, _)| v.now == NUMBERS);
    let given: Vec<&Vec<String>> = stepped.map(|(v, _)| &v.given).collect();
    assert!(!given.is_empty());
    for row in ["1000", "1001"] {
        assert!(given.iter().all(|given| !given.iter().any(|now| now == row)), "{given:?}");
    }
}

#[test]
fn the_cells_of_a_table_in_a_template_are_inputs() {
    let text = "test.each`\n  gross  | net\n  ${200} | ${180}\n  ${'50 EUR'} | ${45}\n`('$gross', ({ gross, net }) => {\n  expect(shop(gross)).toBe(net);\n});\n";
    let made = vary("a.test.js", text, 1, &|_| false).unwrap();
    assert_eq!(made.inputs, ["180", "200", "45", "50 EUR"]);
    let whole: Vec<String> =
        made.variations.iter().map(|(_, edits)| Edit::applied(text, edits)).collect();
    assert!(whole.iter().any(|text| text.contains("${201} | ${180}")), "{whole:#?}");
}

#[test]
fn what_would_stay_as_it_is_is_no_variation() {
    let text = "def test_up():\n    assert up('..', 3) == '../3'\n";
    let made = of("test_a.py", text, 1);
    assert!(made.iter().any(|m| m.contains("up('..', 4)")), "{made:#?}");
    assert!(made.iter().all(|m| m != text.trim_end()), "{made:#?}");
}
