//! What Maven left behind for small trees, read without it.

use crate::maven_stage::{CART, JUNIT4, JUNIT5, pom, scene};

pub const FIVE: &str = "package shop;
import static org.junit.jupiter.api.Assertions.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;
class CartTest {
    @Test void adds() { assertEquals(3, new Cart().add(1, 2)); }
    @Test void holds() { assertEquals(1, new Cart().add(1, 0)); }
    @Test void breaks() { assertEquals(1, new Cart().div(1)); }
    @Test void own() { Object o = null; assertEquals(\"\", o.toString()); }
    @Test void info(TestInfo i) { assertNotNull(i); }
    @Test void assumes() { Assumptions.assumeTrue(\"a\".isEmpty(), \"not here\"); }
    @Disabled(\"later\") @Test void skipped() { fail(); }
    @ParameterizedTest @ValueSource(ints = {1, 2}) void many(int n) { assertEquals(1, n); }
    @RepeatedTest(2) void again() { assertNotNull(new Cart()); }
    @TestFactory Stream<DynamicTest> made() { return Stream.of(DynamicTest.dynamicTest(\"one\", () -> fail(\"no\"))); }
    @Nested class Inner { @Test void deep() { assertEquals(1, new Cart().add(2, 1)); } }
}
";

const SET_UP: &str = "package shop;
import org.junit.jupiter.api.*;
class SetUpTest {
    @BeforeAll static void up() { throw new IllegalStateException(\"no set-up\"); }
    @Test void a() { Assertions.assertNotNull(new Cart()); }
}
";

#[test]
fn each_way_a_jupiter_test_can_end() {
    scene(
        "maven-jupiter",
        &[
            ("pom.xml", &pom(JUNIT5)),
            CART,
            ("src/test/java/shop/CartTest.java", FIVE),
            ("src/test/java/shop/SetUpTest.java", SET_UP),
        ],
    );
}

#[test]
fn each_way_a_test_of_junit_4_can_end() {
    let source = "package shop;
import static org.junit.Assert.*;
import org.junit.*;
public class CartTest {
    @Test public void adds() { assertEquals(3, new Cart().add(1, 2)); }
    @Test public void words() { assertEquals(\"one\", \"two\"); }
    @Test public void holds() { assertEquals(1, new Cart().add(1, 0)); }
    @Test public void breaks() { new Cart().div(1); }
    @Test(expected = ArithmeticException.class) public void throwsIt() { new Cart().div(1); }
    @Ignore(\"later\") @Test public void skipped() { fail(); }
}
";
    let broken = "package shop;\nimport org.junit.*;\npublic class SetUpTest {\n    @BeforeClass public static void up() { throw new \
                  IllegalStateException(\"no\"); }\n    @Test public void a() { Assert.assertNotNull(this); }\n}\n";
    scene(
        "maven-junit4",
        &[
            ("pom.xml", &pom(JUNIT4)),
            CART,
            ("src/test/java/shop/CartTest.java", source),
            ("src/test/java/shop/SetUpTest.java", broken),
        ],
    );
}

#[test]
fn names_that_do_not_exist_yet() {
    let source = "package shop;
import static org.junit.Assert.*;
import org.junit.*;
import shop.Basket;
import other.thing.Foo;
public class CartTest {
    @Test public void adds() { assertEquals(3, new Cart().total(1, 2)); }
    @Test public void fewer() { assertEquals(1, new Cart().add(1)); }
    @Test public void field() { Cart cart = new Cart(); assertEquals(1, cart.size); }
    @Test public void bare() { Bag bag = null; assertNull(bag); }
    @Test public void own() { undefined(1); int x = nothing; }
    @Test public void foreign() { \"x\".foo(); new Cart(3); }
}
";
    scene(
        "maven-missing",
        &[("pom.xml", &pom(JUNIT4)), CART, ("src/test/java/shop/CartTest.java", source)],
    );
}

#[test]
fn code_that_can_not_be_read() {
    scene(
        "maven-syntax",
        &[
            ("pom.xml", &pom(JUNIT4)),
            CART,
            (
                "src/test/java/shop/CartTest.java",
                "package shop;\npublic class CartTest {\n    int a = ;\n}\n",
            ),
        ],
    );
}

#[test]
fn a_test_that_leaves_without_a_report() {
    let leaves = "package shop;\nimport org.junit.*;\npublic class LeaveTest {\n    @Test public void leaves() { System.exit(0); }\n}\n";
    scene(
        "maven-left",
        &[("pom.xml", &pom(JUNIT4)), CART, ("src/test/java/shop/LeaveTest.java", leaves)],
    );
}
