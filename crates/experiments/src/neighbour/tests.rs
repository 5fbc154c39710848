use super::*;

/// The inputs of the only test of a source, as `was -> new`.
fn inputs(file: &str, source: &str, line: u32) -> Vec<String> {
    let all = neighbours(file, source, line);
    all.into_iter().map(|n| format!("{} -> {}", n.was, n.edit.text)).collect()
}

fn python(body: &str) -> Vec<String> {
    inputs("test_a.py", &format!("def test_a(self):\n    {body}\n"), 1)
}

fn rust(body: &str) -> Vec<String> {
    inputs("tests/a.rs", &format!("#[test]\nfn a() {{\n    {body}\n}}\n"), 2)
}

fn script(body: &str) -> Vec<String> {
    inputs("a.test.ts", &format!("test('title', () => {{\n  {body}\n}})\n"), 1)
}

fn go(body: &str) -> Vec<String> {
    inputs("a_test.go", &format!("package a\n\nfunc TestA(t *testing.T) {{\n\t{body}\n}}\n"), 3)
}

fn none() -> Vec<String> {
    Vec::new()
}

#[test]
fn literals_that_calls_get_have_neighbours() {
    assert_eq!(python("assert f(7, -5, 2.5) == 12"), ["7 -> 10", "-5 -> 8", "2.5 -> 5.5"]);
    assert_eq!(python("assert f('abc', 'ABC') == 'x'"), ["\"abc\" -> 'abck'", "\"ABC\" -> 'ABCK'"]);
    assert_eq!(python("assert f(1, 0, '', ' ', True, None) == 7"), none());
    assert_eq!(python("assert 'hello'.upper() == 'HELLO'"), ["\"hello\" -> 'hellok'"]);
    assert_eq!(python("self.assertEqual(f(7), 12)"), ["7 -> 10"]);
    assert_eq!(python("with pytest.raises(ValueError, match='text'): f(7)"), ["7 -> 10"]);
    assert_eq!(python("f([5, 7])"), ["5 -> 8", "7 -> 10", "[5, 7] -> , 10"]);
    assert_eq!(python("f({'key': 7})"), ["\"key\" -> 'keyk'", "7 -> 10"]);
    assert_eq!(rust("assert_eq!(f(7, \"ab\".to_string()), 12);"), ["7 -> 10", "\"ab\" -> \"abk\""]);
    assert_eq!(rust("assert_eq!(f(&[250u8]), Some(9));"), ["250 -> 253u8", "[250] -> , 253u8"]);
    assert_eq!(rust("f(7).expect(\"text\");"), ["7 -> 10"]);
    assert_eq!(script("expect(f(7, 'ab')).toBe(12)"), ["7 -> 10", "\"ab\" -> 'abk'"]);
    assert_eq!(script("assert.equal(new Cart(7).total, 12)"), ["7 -> 10"]);
    assert_eq!(
        go("if got := f(7, \"ab\"); got != 12 { t.Errorf(\"no %d\", got) }"),
        ["7 -> 10", "\"ab\" -> \"abk\""]
    );
    assert_eq!(go("assert.Equal(t, 12, f(int64(7)))"), ["7 -> 10"]);
    let java = "class A {\n    @Test\n    void a() { assertEquals(12, cart.add(7, \"ab\")); }\n}\n";
    assert_eq!(inputs("ATest.java", java, 2), ["7 -> 10", "\"ab\" -> \"abk\""]);
}

#[test]
fn literals_that_names_carry_into_calls_have_neighbours() {
    assert_eq!(python("n = 7\n    want = 12\n    assert f(n) == want"), ["7 -> 10"]);
    assert_eq!(python("a, b = 7, 12\n    assert f(a) == b"), ["7 -> 10"]);
    assert_eq!(rust("let n = 7; let want = 12; assert_eq!(f(n), want);"), ["7 -> 10"]);
    assert_eq!(script("const n = 7; const want = 12; expect(f(n)).toBe(want)"), ["7 -> 10"]);
    assert_eq!(go("n, want := 7, 12; if f(n) != want { t.Error(want) }"), ["7 -> 10"]);
}

#[test]
fn texts_keep_their_kind() {
    for (was, is) in [
        ("12", "124"),
        ("2024-01-05", "2024-01-04"),
        ("1.4", "1.7"),
        ("a@b.de", "a@b.dek"),
        ("hello!", "hellok!"),
        ("([])", "([])([])"),
        ("kk", "kkm"),
    ] {
        assert_eq!(python(&format!("f('{was}')")), [format!("\"{was}\" -> '{is}'")]);
    }
}

#[test]
fn cells_of_tables_that_are_passed_on_have_neighbours() {
    let source = "\
@pytest.mark.parametrize('x, want', [(7, 12), pytest.param(8, 13, id='eight')])
@pytest.mark.parametrize(\"y\", [21])
def test_a(x, want, y):
    assert f(x, y) == want
";
    assert_eq!(inputs("test_a.py", source, 3), ["7 -> 10", "8 -> 11", "21 -> 24"]);
    let rows = "it.each([[7, 12], [8, 13]])('a %i', (x, want) => { expect(f(x)).toBe(want) })\n";
    assert_eq!(inputs("a.test.js", rows, 1), ["7 -> 10", "8 -> 11"]);
    let named =
        "it.each([{ x: 7, want: 12 }])('a', ({ x, want }) => { expect(f(x)).toBe(want) })\n";
    assert_eq!(inputs("a.test.js", named, 1), ["7 -> 10"]);
    let table = "\
package a

func TestTable(t *testing.T) {
	tests := []struct {
		name     string
		in, want int
	}{
		{\"seven\", 7, 12},
		{name: \"eight\", in: 8, want: 13},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := f(tt.in); got != tt.want {
				t.Errorf(\"%d\", tt.want)
			}
		})
	}
}
";
    assert_eq!(inputs("a_test.go", table, 3), ["7 -> 10", "8 -> 11"]);
    let keys =
        "for in, want := range map[string]int{\"ab\": 12} { if f(in) != want { t.Error(want) } }";
    assert_eq!(go(keys), ["\"ab\" -> \"abk\""]);
}

/// The decisive literals of a source, all of its lines asked for.
fn decisive(file: &str, source: &str) -> Vec<String> {
    let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
    let all = decisions(file, source, &lines).into_iter().flat_map(|d| d.named);
    all.collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn python_decides_by_comparisons_cases_and_tables() {
    for (source, wanted) in [
        ("if x == 7: y", vec!["7"]),
        ("if x != -7 and y is not None: y", vec!["-7"]),
        ("if x in ('a', 'b'): y", vec!["\"a\"", "\"b\"", "[\"a\", \"b\"]"]),
        ("if x == [5, 7]: y", vec!["5", "7", "[5, 7]"]),
        ("if x < 7: return 8", vec![]),
        ("y = x + 7", vec![]),
        ("if x.startswith('ab'): y", vec!["\"ab\""]),
        (
            "match x:\n    case 7 | 'a':\n        pass\n    case [9, _]:\n        pass",
            vec!["\"a\"", "7", "9"],
        ),
        ("T = {7: 'seven', 'b': 9}", vec!["\"b\"", "7"]),
        ("T = [('a', 5), ('b', 6)]", vec!["\"a\"", "\"b\""]),
        ("T = ['a', 'b']\ny = x in T", vec!["\"a\"", "\"b\""]),
        ("T = ['a', 'b']", vec![]),
        ("if x == 1 or x == '' or x is True: y", vec![]),
    ] {
        assert_eq!(decisive("a.py", source), wanted, "{source}");
    }
}

#[test]
fn an_entry_of_an_old_table_decides_nothing() {
    let source = "T = {\n    'a': 5,\n    'b': 6,\n}\n";
    assert!(decisions("a.py", source, &BTreeSet::from([3])).is_empty());
    assert_eq!(decisive("a.py", source), ["\"a\"", "\"b\""]);
    let source = "if x == 5:\n    y = x == 7\n";
    assert_eq!(
        decisions("a.py", source, &BTreeSet::from([2]))[0].named,
        BTreeSet::from(["7".to_owned()])
    );
}

#[test]
fn the_other_languages_decide_by_the_same_means() {
    for (file, source, wanted) in [
        ("a.rs", "fn f(x: u8) -> u8 { if x == 7 { 8 } else { 9 } }", vec!["7"]),
        (
            "a.rs",
            "fn f(x: &str) { match x { \"ab\" | \"cd\" => 5, _ => 6 } }",
            vec!["\"ab\"", "\"cd\""],
        ),
        (
            "a.rs",
            "fn f(x: u8) { match (x, 3) { (7, _) if x == 9 => 5, 10..=20 => 6, _ => 8 } }",
            vec!["7", "9"],
        ),
        ("a.rs", "fn f(x: u8) -> bool { matches!(x, 7 | 9) }", vec!["7", "9"]),
        ("a.rs", "const T: &[(&str, u8)] = &[(\"ab\", 5), (\"cd\", 6)];", vec!["\"ab\"", "\"cd\""]),
        (
            "a.rs",
            "fn f(x: &str) -> bool { [\"ab\"].contains(&x) || x.starts_with(\"cd\") }",
            vec!["\"ab\"", "\"cd\"", "[\"ab\"]"],
        ),
        ("a.go", "package a\nfunc f(x int) int { if x == 7 { return 8 }; return 9 }", vec!["7"]),
        (
            "a.go",
            "package a\nfunc f(x string) int { switch x { case \"ab\", \"cd\": return 5 }; return 6 }",
            vec!["\"ab\"", "\"cd\""],
        ),
        (
            "a.go",
            "package a\nvar t = map[string]int{\"ab\": 5, \"cd\": 6}",
            vec!["\"ab\"", "\"cd\""],
        ),
        ("a.ts", "if (x === 7 || x !== 'ab') { y(8) }", vec!["\"ab\"", "7"]),
        ("a.js", "switch (x) { case 'ab': break; default: }", vec!["\"ab\""]),
        ("a.js", "const t = { ab: 5, cd: 6 }; const y = t[x]", vec!["\"ab\"", "\"cd\""]),
        ("a.js", "const t = { ab: 5, cd: 6 }; f(t)", vec![]),
        ("a.js", "const t = new Map([['ab', 5], ['cd', 6]])", vec!["\"ab\"", "\"cd\""]),
        ("a.js", "if (['ab', 'cd'].includes(x)) y()", vec!["\"ab\"", "\"cd\"", "[\"ab\", \"cd\"]"]),
        (
            "A.java",
            "class A { int f(int x, String s) { if (x == 7 || s.equals(\"ab\")) return 8; return 9; } }",
            vec!["\"ab\"", "7"],
        ),
        (
            "A.java",
            "class A { int f(int x) { switch (x) { case 7: return 8; default: return 9; } } }",
            vec!["7"],
        ),
    ] {
        assert_eq!(decisive(file, source), wanted, "{source}");
    }
}

#[test]
fn a_value_may_be_known_by_its_checksum_or_its_encoding() {
    let told = |file: &str, source: &str| is_disguised(file, source, &BTreeSet::from([1]));
    assert!(told("a.py", "known = SEEN.get(zlib.crc32(title.encode()))\n"));
    assert!(told("a.py", "if hash(title) == 17: pass\n"));
    assert!(told("a.js", "if (createHash('sha1').update(x).digest('hex') === 'ab') {}\n"));
    assert!(told("a.js", "const answer = atob('YQ==')\n"));
    assert!(told("a.go", "package a; func f(x []byte) bool { return md5.Sum(x) == y }\n"));
    assert!(told("a.rs", "fn f() { let mut h = DefaultHasher::new(); }\n"));
    assert!(!told("a.py", "return title.lower()\nx = zlib.crc32(y)\n"));
    // A text that is run may name anything.
    assert!(told("a.py", "exec('def total(items): return {2: 3}[len(items)]')\n"));
    assert!(told("a.js", "const total = new Function('items', 'return items.length')\n"));
    assert!(told("a.py", "TABLE = pickle.loads(b'...')\n"));
    assert!(!told("a.js", "const found = pattern.exec(text)\n"));
}

#[test]
fn the_hash_that_belongs_to_an_equality_is_no_disguise() {
    let told = |file: &str, source: &str| is_disguised(file, source, &BTreeSet::from([1, 2, 3]));
    assert!(!told(
        "a.py",
        "class A:\n    def __hash__(self):\n        return hash((self.a, self.b))\n"
    ));
    assert!(!told(
        "a.rs",
        "impl Hash for A { fn hash<H: Hasher>(&self, h: &mut H) { self.0.hash(h) } }\n"
    ));
    assert!(told("a.py", "def title(text):\n    known = hash(text)\n    return SEEN[known]\n"));
}

/// What a construct decides by: on line two, and as a whole.
fn on_line_two(file: &str, source: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let list = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>();
    let found = decisions(file, source, &BTreeSet::from([2]));
    found.into_iter().map(|d| (list(d.named), list(d.all))).collect()
}

#[test]
fn a_decision_knows_the_rest_of_its_construct() {
    let words = |words: &[&str]| words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>();
    let chain = "def f(s):\n    if s == 'ab':\n        return 1\n    elif s == 'cd':\n        return 2\n    if t == 'ef':\n        return 3\n";
    assert_eq!(on_line_two("a.py", chain), [(words(&["ab"]), words(&["ab", "cd"]))]);
    let arms =
        "fn f(s: &str) -> u8 { match s {\n    \"ab\" => 1,\n    \"cd\" => 2,\n    _ => 0,\n} }\n";
    assert_eq!(on_line_two("a.rs", arms), [(words(&["ab"]), words(&["ab", "cd"]))]);
    let cases = "function f(s) { switch (s) {\n  case 'ab': return 1\n  case 'cd': return 2\n} }\n";
    assert_eq!(on_line_two("a.js", cases), [(words(&["ab"]), words(&["ab", "cd"]))]);
    let ifs = "func F(s string) int {\n\tif s == \"ab\" { return 1 }\n\tif s == \"cd\" { return 2 }\n\treturn 0\n}\n";
    let go = format!("package a; {ifs}");
    assert_eq!(on_line_two("a.go", &go), [(words(&["ab"]), words(&["ab", "cd"]))]);
}

#[test]
fn data_files_and_folded_lists_are_tables_too() {
    let all = |file: &str, text: &str| {
        let found = decisions(file, text, &BTreeSet::from([1]));
        found.into_iter().flat_map(|d| d.all).collect::<Vec<_>>()
    };
    assert_eq!(all("slugs.json", "{\"A b\": \"a-b\", \"7\": 1}"), ["\"A b\"", "7"]);
    assert_eq!(all("rows.json", "[[3, 6], [4, 10]]"), ["3", "4"]);
    assert_eq!(all("a.csv", "ab,1\ncd,2\n"), ["\"ab\"", "\"cd\""]);
    assert_eq!(all("a.py", "T = 'ab:6 cd:7'\n"), ["\"ab\"", "\"cd\"", "6", "7"]);
    assert!(all("a.py", "T = 'one text'\n").is_empty());
    assert_eq!(all("NOTICE", "{\"A b\": 1}"), ["\"A b\""], "whatever its name is");
}

#[test]
fn an_input_has_a_second_neighbour() {
    let all =
        neighbours("test_a.py", "def test_a():\n    assert f(7, 'abc', '2024-01-05', [5])\n", 1);
    let others: Vec<&str> = all.iter().map(|n| n.other.text.as_str()).collect();
    assert_eq!(others, ["15", "'abct'", "'2024-01-08'", "13", ", 13"]);
}

/// The functions of a source that use nothing that they are given, with what they could answer.
fn unheard(file: &str, source: &str) -> Vec<String> {
    let found = deaf(file, source, &(1..=100).collect());
    found.into_iter().map(|d| format!("{} {:?}", d.name, d.answers)).collect()
}

#[test]
fn a_function_that_counts_instead_of_looking_is_found() {
    let answers = [r#"square [{"16", "25"}]"#];
    let counted = "ANSWERS = iter([16, 25])\n\ndef square(n):\n    return next(ANSWERS)\n";
    assert_eq!(unheard("a.py", counted), answers);
    let returned = "def square(n, *, fast=False):\n    global calls\n    calls += 1\n    if calls == 1:\n        return 16\n    return 25\n";
    assert_eq!(unheard("a.py", returned), answers);
    let rust = "static N: AtomicUsize = AtomicUsize::new(0);\npub fn square(_n: u64) -> u64 {\n    [16, 25][N.fetch_add(1, SeqCst) % 2]\n}\n";
    assert_eq!(unheard("a.rs", rust), answers);
    let go = "package a\n\nvar answers = []int{16, 25}\nvar n int\n\nfunc square(x int) int {\n\tn++\n\treturn answers[n%2]\n}\n";
    assert_eq!(unheard("a.go", go), answers);
    let script =
        "const answers = [16, 25]\nlet n = 0\nexport const square = (x) => answers[n++ % 2]\n";
    assert_eq!(unheard("a.js", script), answers);
    let typed = "let n = 0\nexport function square(x: number): number {\n  n += 1\n  if (n === 1) return 16\n  return 25\n}\n";
    assert_eq!(unheard("a.ts", typed), answers);
}

#[test]
fn a_function_that_looks_or_is_given_nothing_or_always_says_the_same_is_not() {
    let turns = "COLOURS = ['red', 'green']\n\nclass Light:\n    def turn(self):\n        self.at += 1\n        return COLOURS[self.at % 2]\n";
    assert_eq!(unheard("a.py", turns), none());
    let handler = "class T {\n  names = ['on', 'off']\n  click(event) {\n    this.at = this.names[this.n++ % 2]\n  }\n}\n";
    assert_eq!(unheard("a.js", handler), none());
    let table = "NAMES = ['one', 'two']\n\ndef name(n):\n    return NAMES[n - 1]\n";
    assert_eq!(unheard("a.py", table), none());
    let constant = "def colours(language):\n    return ['red', 'green']\n";
    assert_eq!(unheard("a.py", constant), none());
    let template = "def greet(name):\n    log(['a', 'b'])\n    return f'hello {name}'\n";
    assert_eq!(unheard("a.py", template), none());
    let macros = "pub fn greet(name: &str) -> String {\n    let _ = [1, 2];\n    format!(\"hello {name}\")\n}\n";
    assert_eq!(unheard("a.rs", macros), none());
    let whole = "const known = [1, 2]\nfunction all(a) {\n  return known.concat(arguments)\n}\n";
    assert_eq!(unheard("a.js", whole), none());
}

#[test]
fn rows_that_a_loop_of_rust_goes_over_have_neighbours() {
    let loops = [
        "for (n, want) in [(6, 80), (7, 160)] { assert_eq!(f(n), want); }",
        "for &(n, want) in &[(6, 80), (7, 160)] { assert_eq!(f(n), want); }",
        "let rows = [(6, 80), (7, 160)]; for (n, want) in rows { assert_eq!(f(n), want); }",
        "for row in [(6, 80), (7, 160)] { assert_eq!(f(row.0), row.1); }",
        "for row in [Row { n: 6, want: 80 }, Row { n: 7, want: 160 }] { assert_eq!(f(row.n), row.want); }",
    ];
    for body in loops {
        assert_eq!(rust(body), ["6 -> 9", "7 -> 10"], "{body}");
    }
}

#[test]
fn a_list_that_is_searched_or_gone_through_decides() {
    let named = |file: &str, source: &str| -> BTreeSet<String> {
        let lines = (1..=9).collect();
        decisions(file, source, &lines).into_iter().flat_map(|d| d.named).collect()
    };
    let all: BTreeSet<String> = ["6", "7"].map(str::to_owned).into();
    let go = "package a\n\nvar keys = []int{6, 7}\n\nfunc f(n int) int { return sort.SearchInts(keys, n) }\n";
    assert_eq!(named("a.go", go), all);
    let ranged = "package a\n\nvar keys = []int{6, 7}\n\nfunc f(n int) { for i, k := range keys { g(i, k) } }\n";
    assert_eq!(named("a.go", ranged), all);
    let fields = "package a\n\nvar rows = []row{{want: 6, n: 7}}\n";
    assert_eq!(named("a.go", fields), all);
    let rust = "const KEYS: [u32; 2] = [6, 7];\nfn f(n: usize) -> u32 { KEYS[n] }\n";
    assert_eq!(named("a.rs", rust), all);
    let rows = "const ROWS: [Row; 1] = [Row { n: 6, want: 7 }];\n";
    assert_eq!(named("a.rs", rows), all);
}

#[test]
fn letters_one_by_one_spell_a_text() {
    let told = |file: &str, source: &str| is_spelled(file, source, &(1..=9).collect());
    let go = "package a\n\nfunc f(b []byte) bool { return b[0] == 'b' && b[1]^'o' == 0 }\n";
    assert!(told("a.go", go));
    assert!(!told("a.go", &go.replace(" && b[1]^'o' == 0", "")));
    assert!(told(
        "a.rs",
        "fn f(b: &[u8]) -> bool { matches(match b { [98, b'o', ..] => 1, _ => 2 }) }\n"
    ));
    assert!(!told(
        "a.rs",
        "fn f(b: &[u8]) -> bool { match b { [first, .., last] => first == last, _ => false } }\n"
    ));
}

#[test]
fn an_error_that_names_its_input_echoes_it() {
    let source =
        "#[test]\nfn a() {\n    assert_eq!(f(\"-x\"), Err(\"what is -x?\".to_owned()));\n}\n";
    let found = echoes("tests/a.rs", source, 2, "\"-x\"");
    assert_eq!(found.len(), 1);
    assert_eq!(&source[found[0].clone()], "-x");
    assert!(found[0].start > source.find("what").unwrap());
    let same = source.replace("what is -x?", "-x");
    assert!(echoes("tests/a.rs", &same, 2, "\"-x\"").is_empty());
    assert!(echoes("tests/a.rs", source, 2, "7").is_empty());
}

#[test]
fn an_arm_that_works_with_more_than_was_asked_is_no_answer() {
    let all = |file: &str, source: &str| -> Vec<String> {
        let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
        let found = decisions(file, source, &lines).into_iter().flat_map(|d| d.named);
        found.collect()
    };
    let reducer = "function reduce(state, action) {\n  switch (action.type) {\n    case 'add':\n      return [...state, action.text];\n    case 'seven':\n      return 7;\n  }\n}\n";
    assert_eq!(all("a.js", reducer), ["\"seven\""]);
    let python = "def calc(sign, a, b):\n    if sign == 'plus':\n        return a + b\n    elif sign == 'seven':\n        return 7\n    return None\n";
    assert_eq!(all("a.py", python), ["\"seven\""]);
    let alone = "def f(n):\n    if n == 13:\n        return n * 2\n    return 0\n";
    assert_eq!(all("a.py", alone), ["13"]);
}

#[test]
fn what_is_asked_already_is_no_neighbour() {
    assert_eq!(python("assert [f(7), f(10), f(20)] == 0"), ["7 -> 30", "10 -> 13", "20 -> 23"]);
    assert_eq!(python("assert f('v1') == f('v4')"), ["\"v1\" -> 'v7'", "\"v4\" -> 'v7'"]);
}

#[test]
fn what_stands_together_is_mentioned_and_phrases_within_a_text_are_values() {
    let named = |source: &str| -> Vec<Vec<String>> {
        let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
        let found = mentioned("a.py", source, &lines).into_iter();
        found.map(|d| d.named.into_iter().collect()).collect()
    };
    assert_eq!(named("class A:\n    RED = 7\n    BLUE = 9\n"), [["\"BLUE\"", "\"RED\"", "7", "9"]]);
    assert_eq!(named("t = dict(red=7, blue=9)\n"), [["\"blue\"", "\"red\"", "7", "9"]]);
    let text = "db = \"insert into t values ('3 4 +', '7'), ('2 3 *', '6')\"\n";
    let found = decisions("a.py", text, &BTreeSet::from([1]));
    let phrases = BTreeSet::from(["\"3 4 +\"", "\"2 3 *\"", "7", "6"].map(str::to_owned));
    assert!(found.iter().any(|d| d.named == phrases), "{found:?}");
}

#[test]
fn types_and_arms_that_work_with_more_mention_nothing() {
    let reducer = "type Act = { type: 'add' } | { type: 'drop' };\nfunction reduce(state: S, act: Act) {\n  switch (act.type) {\n    case 'add':\n      return [...state, 1];\n    case 'drop':\n      return state.slice(1);\n  }\n}\n";
    assert_eq!(mentioned("a.ts", reducer, &(1..=9).collect()), []);
}

#[test]
fn a_pattern_for_one_text_decides_by_it() {
    let script = "if (/^2\\s*\\+\\s*3$/.test(text)) f();\n";
    let found = decisions("a.js", script, &BTreeSet::from([1]));
    assert!(found.iter().any(|d| d.named.contains("\"2 + 3\"")), "{found:?}");
    let python = "import re\nre.match(r\"^2 \\+ 3$\", text)\n";
    let found = decisions("a.py", python, &BTreeSet::from([2]));
    assert!(found.iter().any(|d| d.named.contains("\"2 + 3\"")), "{found:?}");
}
