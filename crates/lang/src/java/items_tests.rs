//! Java sources and the tests that are found in them.

use super::*;
use crate::tree::MemoryTree;

fn found(source: &str) -> Vec<TestItem> {
    let path = "src/test/java/shop/CartTest.java".to_owned();
    let tree: MemoryTree = [(path.clone(), source)].into_iter().collect();
    items(&tree, &[path])
}

fn ids(source: &str) -> Vec<String> {
    found(source).into_iter().map(|i| i.id.0).collect()
}

fn shape(body: &str) -> Shape {
    let source = format!(
        "package shop; class CartTest {{ @Test void a() {{ {body} }} void helper(int n) {{ assertEquals(1, n); }} \
         void idle() {{ }} }}"
    );
    found(&source).remove(0).shape
}

#[test]
fn each_framework_marks_its_tests_in_its_own_way() {
    let source = "package shop.cart;\nimport org.junit.jupiter.api.*;\nclass CartTest {\n  @Test void plain() {}\n  \
                  @ParameterizedTest @ValueSource(ints = 1) void many(int n) {}\n  @RepeatedTest(2) void again() {}\n  \
                  @TestFactory Stream<DynamicTest> made() { return null; }\n  @org.junit.Test public void full() {}\n  \
                  @BeforeEach void up() {}\n  void helper() {}\n  @Nested class Inner { @Test void deep() {} }\n  \
                  static class Other { @Test void not() {} }\n}\n";
    assert_eq!(
        ids(source),
        [
            "shop.cart.CartTest::plain",
            "shop.cart.CartTest::many",
            "shop.cart.CartTest::again",
            "shop.cart.CartTest::made",
            "shop.cart.CartTest::full",
            "shop.cart.CartTest$Inner::deep"
        ]
    );
    assert_eq!(
        ids(
            "public class OldTest extends junit.framework.TestCase { public void testA() {} public void helper() {} \
             void testB() {} public void testC(int n) {} }"
        ),
        ["OldTest::testA"]
    );
    assert_eq!(
        ids(
            "@Test public class NgTest { public void a() {} @BeforeMethod public void up() {} private void b() {} }"
        ),
        ["NgTest::a"]
    );
    assert!(ids("abstract class Base { @Test void a() {} }").is_empty());
}

#[test]
fn what_is_switched_off_is_skipped_class_and_all() {
    let shapes = |source: &str| found(source).iter().map(|i| i.shape).collect::<Vec<_>>();
    assert_eq!(
        shapes(
            "class A { @Disabled(\"x\") @Test void a() { assertTrue(b); } @Ignore @Test void b() {} \
                @Test(enabled = false) void c() {} }"
        ),
        [Shape::Skipped; 3]
    );
    assert_eq!(
        shapes(
            "@Disabled class A { @Test void a() { assertTrue(b); } @Nested class B { @Test void b() { fail(); } } }"
        ),
        [Shape::Skipped; 2]
    );
}

#[test]
fn a_body_that_checks_something_is_sound() {
    for body in [
        "assertEquals(3, cart.add(1, 2));",
        "assertThat(cart.total()).isEqualTo(3);",
        "verify(bank).pay(3);",
        "assertThrows(X.class, () -> cart.div(1));",
        "try { cart.div(1); fail(\"no\"); } catch (X e) { }",
        "helper(cart.total());",
        "mvc.perform(get()).andExpect(status().isOk());",
        "if (x) { return; } fail();",
        "assert cart.total() == 3;",
        "for (int i : list) { assertTrue(i > 0, \"message\"); }",
    ] {
        assert_eq!(shape(body), Shape::Sound, "{body}");
    }
    let expected = "class A { @Test(expected = X.class) public void a() { cart.div(1); } }";
    assert_eq!(found(expected)[0].shape, Shape::Sound);
}

#[test]
fn a_body_that_checks_nothing_or_always_fails_is_told() {
    for body in [
        "",
        "cart.add(1, 2);",
        "idle();",
        "assertTrue(true);",
        "assertEquals(1, 1);",
        "assert 1 == 1;",
    ] {
        assert_eq!(shape(body), Shape::NoAssertion, "{body}");
    }
    for body in [
        "fail();",
        "Assert.fail(\"no\");",
        "cart.add(1, 2); throw new AssertionError();",
        "assertTrue(\"message\", false);",
        "assertFalse(true);",
        "assertEquals(1, 2);",
        "assert false;",
    ] {
        assert_eq!(shape(body), Shape::ConstantFailure, "{body}");
    }
    for body in ["Assumptions.abort();", "assumeTrue(false);", "throw new TestAbortedException();"]
    {
        assert_eq!(shape(body), Shape::Skipped, "{body}");
    }
}
