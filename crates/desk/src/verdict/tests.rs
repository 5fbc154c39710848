use super::*;
use proctor_core::verdict::{Change, Check, CheckName, Finding, TestRow, Verdict, Weight};
use proctor_core::words::TestId;
use serde_json::Value;

const ALL: [Format; 8] = [
    Format::Text,
    Format::Json,
    Format::Markdown,
    Format::Sarif,
    Format::Junit,
    Format::Html,
    Format::Github,
    Format::Stryker,
];

fn plain(v: &Verification, format: Format) -> String {
    render(v, format, Look::Plain)
}

#[test]
fn a_refuted_change_in_every_format() {
    for format in ALL {
        let name = format!("refuted_{format:?}").to_lowercase();
        let text = plain(&sample::refuted(), format).replace(env!("CARGO_PKG_VERSION"), "VERSION");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn an_open_and_a_proven_change_for_people() {
    for format in [Format::Text, Format::Markdown] {
        let both = [sample::inconclusive(), sample::proven()].map(|v| plain(&v, format));
        let name = format!("others_{format:?}").to_lowercase();
        insta::assert_snapshot!(name, both.join("\n=====\n\n"));
    }
}

#[test]
fn nothing_that_moves_a_terminal_gets_out_of_any_format() {
    for format in ALL {
        let text = plain(&sample::refuted(), format);
        let bad: Vec<char> = text
            .chars()
            .filter(|c| *c != '\n' && (c.is_control() || turns_direction(*c)))
            .collect();
        assert!(bad.is_empty(), "{format:?}: {bad:?}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{format:?}");
    }
}

#[test]
fn colours_come_only_when_asked_for_and_change_no_word() {
    let v = sample::refuted();
    let coloured = render(&v, Format::Text, Look::Coloured);
    assert!(coloured.starts_with("\u{1b}[31m✗ refuted\u{1b}[0m: "), "{coloured}");
    let bare = anstream::adapter::strip_str(&coloured).to_string();
    assert_eq!(bare, plain(&v, Format::Text));
}

#[test]
fn json_is_one_object_that_reads_back_as_the_same_answer() {
    for v in [sample::refuted(), sample::inconclusive(), sample::proven()] {
        let text = plain(&v, Format::Json);
        // Mutants have a report of their own.
        let v = Verification { mutants: Vec::new(), ..v };
        assert_eq!(serde_json::from_str::<Verification>(&text).unwrap(), v);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["verdict"], v.verdict.name());
        assert_eq!(value["checks"][0]["name"], "red-replay");
        assert_eq!(value["tests"]["tests/test_cart.py::test_tax"]["change"], "fixed");
    }
}

#[test]
fn sarif_holds_what_its_schema_asks_for() {
    let v = sample::refuted();
    let value: Value = serde_json::from_str(&plain(&v, Format::Sarif)).unwrap();
    assert_eq!(value["version"], "2.1.0");
    let runs = value["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "proctor");
    let rules = driver["rules"].as_array().unwrap();
    assert_eq!(rules.len(), CheckName::ALL.len());
    let results = runs[0]["results"].as_array().unwrap();
    let weighty = v.checks.iter().flat_map(|c| &c.details).filter(|f| f.weight >= Weight::Warning);
    assert_eq!(results.len(), weighty.count());
    let mut prints = std::collections::BTreeSet::new();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert!(prints.insert(result["partialFingerprints"].to_string()), "{result}");
        for location in result["locations"].as_array().into_iter().flatten() {
            let physical = &location["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.starts_with('/') && !uri.contains([' ', '#', ':']), "{uri}");
            assert!(physical["region"]["startLine"].as_u64().unwrap() > 0);
        }
    }
    assert_eq!(results[0]["ruleId"], "regression");
    assert_eq!(
        results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "tests/a%20b%23%25.py"
    );
}

#[test]
fn junit_reads_back_with_counts_that_agree() {
    for v in [sample::refuted(), sample::inconclusive(), sample::proven()] {
        let text = plain(&v, Format::Junit);
        let xml = roxmltree::Document::parse(&text).unwrap();
        let suites: Vec<_> =
            xml.root_element().children().filter(|n| n.has_tag_name("testsuite")).collect();
        assert_eq!(suites.len(), 2);
        assert_eq!(suites[0].attribute("name"), Some("proctor verify"));
        let tagged = |node: roxmltree::Node, tag| {
            node.descendants().filter(|n| n.has_tag_name(tag)).count().to_string()
        };
        for node in [xml.root_element(), suites[0], suites[1]] {
            for (count, tag) in [
                ("tests", "testcase"),
                ("failures", "failure"),
                ("errors", "error"),
                ("skipped", "skipped"),
            ] {
                assert_eq!(node.attribute(count), Some(tagged(node, tag).as_str()), "{count}");
            }
        }
        assert_eq!(tagged(suites[0], "testcase"), (v.checks.len() + 1).to_string());
        assert_eq!(tagged(suites[1], "testcase"), v.tests.len().to_string());
        let bad = xml.descendants().any(|n| n.has_tag_name("failure") || n.has_tag_name("error"));
        assert_eq!(bad, v.verdict != Verdict::Proven);
    }
}

#[test]
fn no_element_of_the_page_comes_from_a_name() {
    let text = plain(&sample::refuted(), Format::Html);
    assert!(!text.contains("<script") && !text.contains("</pre></details>'"), "{text}");
    assert!(text.contains("test_&lt;script&gt;alert(1)"));
    // As XML but for the few elements that stay open in HTML: what is opened is closed.
    let body = &text[text.find("<main>").unwrap()..text.find("</body>").unwrap()];
    roxmltree::Document::parse(body).unwrap();
}

#[test]
fn a_comment_stays_under_its_limit_and_closes_what_it_opens() {
    let mut v = sample::refuted();
    let wild = "<`|@_*".repeat(100);
    let many = (0..120).map(|no| {
        Finding::new(Weight::Refutes, format!("{no} {wild}"))
            .with_diff(format!("+{wild}\n").repeat(80))
    });
    v.checks.push(Check::of(CheckName::Source, "", many.collect()));
    for no in 0..400 {
        let row = TestRow {
            base: "passed".into(),
            head: "failed".into(),
            replayed: None,
            change: Change::Regression,
        };
        v.tests.insert(TestId::new(format!("{no}{wild}")), row);
    }
    v.left_out = vec![wild.clone(); 100];
    v.reason = wild;
    let text = plain(&v, Format::Markdown);
    assert!(text.chars().count() <= 60_000, "{}", text.chars().count());
    assert!(text.contains("left out of this comment"));
    let fences: Vec<&str> = text.split("\n```").collect();
    assert_eq!(fences.len() % 2, 1, "each fence is closed");
    let outside: String = fences.into_iter().step_by(2).collect();
    assert_eq!(outside.matches("<details").count(), outside.matches("</details>").count());
    let people = plain(&v, Format::Text);
    assert!(people.contains("… and 100 more of source"), "long lists are cut for people too");
}

#[test]
fn no_line_of_a_comment_begins_with_a_command() {
    let text = plain(&sample::refuted(), Format::Markdown);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('/')).collect();
    assert!(lines.is_empty(), "{lines:?}");
    for sign in ["@everyone", "@team", "https://evil", "<script"] {
        assert!(!text.contains(sign), "{sign}");
    }
}

#[test]
fn no_text_ends_the_line_of_an_annotation_or_begins_one() {
    let text = plain(&sample::refuted(), Format::Github);
    let mut levels = text.lines().map(|line| line.split([' ', ':']).nth(2).unwrap_or_default());
    assert!(levels.all(|level| ["error", "warning", "notice"].contains(&level)), "{text}");
    assert!(text.lines().last().unwrap().starts_with("::error title=proctor%3A refuted"), "{text}");
    assert!(text.contains("file=tests/a b#%25.py,line=12,"), "{text}");
}

#[test]
fn a_mutants_place_is_what_differs_and_files_are_shown_whole_where_they_are_at_hand() {
    let v = sample::refuted();
    let source = "a\nb\n".to_owned();
    let told = mutation_report(&v, &[("src/cart.py".to_owned(), source.clone())].into());
    let report: Value = serde_json::from_str(&told).unwrap();
    let file = &report["files"]["src/cart.py"];
    assert_eq!((&file["source"], &file["language"]), (&source.into(), &"python".into()));
    let mutant = &file["mutants"][0];
    assert_eq!(mutant["status"], "Survived");
    assert_eq!(mutant["replacement"], "-");
    let at = |name: &str| {
        (mutant["location"][name]["line"].clone(), mutant["location"][name]["column"].clone())
    };
    assert_eq!((at("start"), at("end")), ((42.into(), 27.into()), (42.into(), 28.into())));
    // The JSON of a verification says nothing of it.
    let json: Value = serde_json::from_str(&plain(&v, Format::Json)).unwrap();
    assert_eq!(json.get("mutants"), None);
}
