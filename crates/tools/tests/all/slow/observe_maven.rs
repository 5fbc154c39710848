//! Tests of Java that observe, compiled and run by the real Maven with `JUnit` 5 and 4.

use crate::maven_stage::{JUNIT4, JUNIT5, maven, pom};
use crate::stage::Stage;
use proctor_core::observation::{END, Row};
use proctor_core::report::RunEnd;
use proctor_core::words::TestId;
use proctor_experiments::{Channel, Observing, Sample, observing, read_channel, span};
use proctor_lang::{Edit, FolderTree, Tree};
use proctor_tools::Selection;
use std::collections::BTreeMap;
use std::fmt::Write as _;

type Tables = BTreeMap<(usize, usize), Vec<Row>>;

const SHOP: (&str, &str) = (
    "src/main/java/shop/Shop.java",
    r#"package shop;

import java.util.*;

public class Shop {
    private final String name;
    private int calls;
    public Shop(String name) { this.name = name; }
    public int net(int gross, int percent) { return gross - gross * percent / 100; }
    public int count() { return ++calls; }
    public String parse(String text) throws java.io.IOException {
        if (text.isEmpty()) throw new java.io.IOException("nothing at all");
        return text.trim();
    }
    public Object dark() { return new Object(); }
    public Shop self() { return this; }
    public Map<String, int[]> map() { return Map.of("b", new int[] {1, 2}, "a", new int[0]); }
    public String chars(int n) { return "x".repeat(n); }
    public Iterable<Integer> endless() {
        return () -> new Iterator<Integer>() {
            public boolean hasNext() { return true; }
            public Integer next() { return 1; }
        };
    }
    public Optional<Runnable> runs() { return Optional.of(() -> { }); }
    public java.math.BigDecimal worth(String text) { return new java.math.BigDecimal(text); }
    public record Point(int x, String y) { }
    public enum Color { RED, GREEN }
}
"#,
);

const BASE: (&str, &str) = (
    "src/test/java/shop/Base.java",
    r#"package shop;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Base {
    protected Shop shop;
    @BeforeEach void up() { shop = new Shop("up"); }
    @Test void inherited() { }
    static void assertNet(int wanted, int net) {
        if (wanted != net) throw new AssertionError(net + " is not " + wanted);
    }
}
"#,
);

const FIVE: &str = r#"package shop;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;

class ShopTest extends Base {
    @Test
    void plain() throws Exception {
        assertEquals(180, shop.net(200, 10), "no");
        assertEquals(181L, shop.net(200, 10));
        assertEquals(0.5, shop.net(1, 0) / 2.0, 0.01);
        assertEquals(Integer.valueOf(3), 3);
        assertEquals(shop.net(50, 10), 45);
        assertNotEquals(null, shop.parse("a"));
        assertTrue(shop.parse(" b ").equals("b") && shop.net(3, 0) > 2);
        assertFalse(shop.parse("c").isEmpty(), () -> "why");
        assertNull(shop.parse("d"));
        assertEquals("e", shop.parse(""));
        assertArrayEquals(new int[] {1, 2}, shop.map().get("b"));
        assertIterableEquals(List.of(1, 2), new ArrayList<>(List.of(1, 3)));
        assertSame(shop, shop.self());
        assertInstanceOf(Shop.class, shop.dark());
        assert shop.net(4, 0) == 5 : "five";
        assertNet(7, shop.net(6, 0));
        fail("no more");
        assertEquals(8, shop.net(8, 0));
    }

    @Test
    void raised() throws Exception {
        Exception e = assertThrows(java.io.IOException.class, () -> shop.parse(""));
        assertEquals("nothing", e.getMessage());
        assertThrows(IllegalStateException.class, () -> shop.parse(""));
        assertThrows(IllegalStateException.class, () -> shop.parse("f"));
        String got = assertDoesNotThrow(() -> shop.parse("g"));
        assertAll(() -> assertEquals("g", got), () -> assertEquals(9, shop.net(10, 0)));
        try {
            assertEquals("h", shop.parse(""));
            fail("never");
        } catch (java.io.IOException caught) {
            assertTrue(caught.getMessage().startsWith("nothing"));
        }
        try {
            assertEquals(1, 2);
        } catch (AssertionError caught) {
            assertEquals("caught", "ca" + "ught");
        }
        for (int n = 0; n < 2; n++) assertEquals(n, shop.net(1, 0));
        shop.parse("").length();
    }

    @Test
    void values() {
        assertEquals(null, shop.dark());
        assertEquals(new Shop("other"), shop);
        assertEquals(Map.of(), shop.map());
        assertEquals("", shop.chars(30000));
        assertEquals(new Shop.Point(1, "q\n\"r\""), new Shop.Point(2, null));
        assertEquals(Shop.Color.RED, Shop.Color.valueOf("GREEN"));
        assertEquals(shop.worth("1.50"), shop.worth("1.5"));
        assertEquals('c', "cd".charAt(1));
        assertEquals(Set.of("b", "a"), Arrays.asList(1, null));
        assertNull(shop.endless());
        assertNull(shop.runs());
        Object[] ring = {shop, null};
        ring[1] = ring;
        assertEquals(0, ring);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 50})
    void given(int gross) { assertEquals(gross - 20, shop.net(gross, 10)); }

    @ParameterizedTest
    @CsvSource({"200, 10, 180", "50, 10, 45"})
    void cells(int gross, int percent, int net) { assertEquals(net, shop.net(gross, percent)); }

    static Stream<Arguments> rows() { return Stream.of(arguments(200, 180), arguments(50, 46)); }

    @ParameterizedTest
    @MethodSource
    void rows(int gross, int net) { assertEquals(net, shop.net(gross, 10)); }

    @Nested
    class Inner {
        @Test void deep() { assertEquals(1, shop.count()); assertEquals(2, shop.count()); }
    }

    @Test
    void slow() throws Exception {
        assertEquals(1, shop.count());
        while (shop.count() != 0 || true) { }
        assertEquals(2, shop.count());
    }

    @Test
    @Override
    void inherited() {
        Assumptions.assumeTrue(shop == null);
        assertEquals(1, 1);
    }
}
"#;

const FOUR: &str = r#"package shop;

import static org.hamcrest.CoreMatchers.*;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import java.util.*;
import org.junit.*;
import org.junit.rules.ExpectedException;

public class OldTest {
    private Shop shop;
    @Rule public ExpectedException thrown = ExpectedException.none();
    @Before public void up() { shop = new Shop("old"); }

    @Test(expected = java.io.IOException.class, timeout = 5000)
    public void breaks() throws Exception { shop.parse(""); }

    @Test(expected = IllegalStateException.class)
    public void holds() throws Exception { shop.parse("a"); }

    @Test
    public void ruled() throws Exception {
        thrown.expect(java.io.IOException.class);
        thrown.expectMessage("nothing");
        shop.parse("");
    }

    @Test
    public void matched() throws Exception {
        assertEquals("message", 180, shop.net(200, 10));
        assertEquals("gross", 1.5, shop.net(3, 0) / 2.0, 0.1);
        assertTrue("message", shop.net(5, 0) == 6);
        assertThat(shop.parse("b"), is("c"));
        assertThat("why", Arrays.asList("a", "b"), hasItems("a", "b"));
        assertThat(shop.net(2, 0), is(not(equalTo(2))));
        assertThat(shop.parse("d"), is(nullValue()));
        Fluent.assertThat(shop.parse("e")).as("said").isEqualTo("f").isEqualTo("e");
        List<? super Integer> wild = new ArrayList<>(List.of(1));
        assertEquals(wild.get(0), wild.get(0));
    }
}
"#;

/// Checks in a chain, as several libraries have them.
const FLUENT: (&str, &str) = (
    "src/test/java/shop/Fluent.java",
    "package shop;\nclass Fluent<T> {\n    private final T actual;\n    Fluent(T actual) { this.actual = actual; }\n    \
     static <T> Fluent<T> assertThat(T actual) { return new Fluent<T>(actual); }\n    \
     Fluent<T> as(String said) { return this; }\n    Fluent<T> isEqualTo(Object other) {\n        \
     if (!other.equals(actual)) throw new AssertionError(\"not equal\");\n        return this;\n    }\n}\n",
);

/// The line of a test, as its runner says.
fn line(text: &str, name: &str) -> u32 {
    let at = text.lines().position(|l| l.contains(&format!("void {name}("))).unwrap();
    let above = text.lines().take(at).collect::<Vec<_>>();
    let marks = above.iter().rev().take_while(|l| l.trim().starts_with('@')).count();
    u32::try_from(at + 1 - marks).unwrap()
}

fn samples(text: &str, names: &[&str], copies: usize) -> Vec<Sample> {
    let one = |(number, name): (usize, &&str)| Sample {
        number,
        line: line(text, name),
        copies: vec![Vec::new(); copies],
    };
    names.iter().enumerate().map(one).collect()
}

/// Writes a file of tests that observe, and asks for its copies.
fn observe(stage: &mut Stage, (file, text): (&str, &str), samples: &[Sample]) -> Observing {
    let made = observing(file, text, samples, &Channel("seen".into())).unwrap();
    assert_eq!(made.samples.len(), samples.len());
    stage.write(file, &made.text);
    for (path, text) in &made.beside {
        stage.write(path, text);
    }
    let tree = FolderTree::new(&stage.ask.tree);
    let items = stage.runner.items(&tree as &dyn Tree, &[file.to_owned()]);
    let copies = items.into_iter().map(|item| item.id).filter(|id| id.as_str().contains("__o"));
    let ids: Vec<TestId> = copies.collect();
    let count: usize = samples.iter().map(|s| s.copies.len()).sum();
    assert_eq!(ids.len(), count);
    stage.ask.only = Selection::Ids(ids);
    made
}

fn heard(stage: &Stage) -> Tables {
    read_channel(&std::fs::read(stage.ask.scratch.join("tmp/seen")).unwrap_or_default())
}

fn shown(tables: &Tables, names: &[&str]) -> String {
    let mut text = String::new();
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(text, "{name}");
        for row in tables.get(&(number, 0)).into_iter().flatten() {
            let word = if row.holds { "holds" } else { "fails" };
            let raised = row.raised.as_deref().unwrap_or_default();
            let row = format!("  {}.{} {word} {:?} {raised}", row.case, row.site, row.sides);
            let _ = writeln!(text, "{}", row.trim_end());
        }
    }
    text
}

#[test]
fn tests_of_junit_5_tell_what_they_see() {
    let file = "src/test/java/shop/ShopTest.java";
    let Some(mut stage) = maven(&[("pom.xml", &pom(JUNIT5)), SHOP, BASE]) else { return };
    let names =
        ["plain", "raised", "values", "given", "cells", "rows", "deep", "slow", "inherited"];
    let mut all = samples(FIVE, &names, 2);
    let cells = &mut all[4];
    let from = FIVE[span(file, FIVE, cells.line).unwrap()].find("50").unwrap();
    let other = Edit { line: 0, from, to: from + 2, text: "70".into(), what: String::new() };
    cells.copies.push(vec![other]);
    observe(&mut stage, (file, FIVE), &all);
    let report = stage.run();
    assert_eq!(report.end, RunEnd::Finished, "{report:#?}");
    let tables = heard(&stage);
    for (number, name) in names.iter().enumerate() {
        assert_eq!(tables[&(number, 0)], tables[&(number, 1)], "{name}");
    }
    assert_eq!(tables[&(4, 2)][2].sides, ["63", "45"]);
    insta::assert_snapshot!("observed_junit_5", shown(&tables, &names));
}

#[test]
fn tests_of_junit_4_tell_what_they_see() {
    let file = "src/test/java/shop/OldTest.java";
    let Some(mut stage) = maven(&[("pom.xml", &pom(JUNIT4)), SHOP, FLUENT]) else { return };
    let names = ["breaks", "holds", "ruled", "matched"];
    observe(&mut stage, (file, FOUR), &samples(FOUR, &names, 2));
    stage.run();
    let tables = heard(&stage);
    for (number, name) in names.iter().enumerate() {
        assert_eq!(tables[&(number, 0)], tables[&(number, 1)], "{name}");
        assert_eq!(tables[&(number, 0)].last().unwrap().site, END);
    }
    insta::assert_snapshot!("observed_junit_4", shown(&tables, &names));
}

#[test]
fn a_copy_that_javac_does_not_take_is_found_by_its_lines() {
    let file = "src/test/java/shop/ShopTest.java";
    let Some(mut stage) = maven(&[("pom.xml", &pom(JUNIT5)), SHOP, BASE]) else { return };
    let mut all = samples(FIVE, &["given", "deep"], 3);
    for (sample, was) in all.iter_mut().zip(["gross - 20", "2"]) {
        let from = FIVE[span(file, FIVE, sample.line).unwrap()].find(was).unwrap();
        let (to, text) = (from + was.len(), "List.of() - 2".to_owned());
        sample.copies[2].push(Edit { line: 0, from, to, text, what: String::new() });
    }
    let made = observe(&mut stage, (file, FIVE), &all);
    let report = stage.run();
    let RunEnd::CollectFailed { errors } = &report.end else { panic!("{report:#?}") };
    let mut copies: Vec<(usize, usize)> = Vec::new();
    for error in errors {
        assert_eq!(error.place.file, file);
        let at = error.place.line.unwrap();
        let found = made.lines.iter().find(|(lines, ..)| lines.contains(&at)).unwrap();
        copies.push((found.1, found.2));
    }
    assert_eq!(copies, [(0, 2), (1, 2)], "{errors:#?}");
}
