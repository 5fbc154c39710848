//! What observing tests of Java look like.

use super::super::{Channel, Sample, observing, span};
use proctor_lang::Edit;

const FIVE: &str = r#"package shop;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;

class NetTest {
    static Stream<Arguments> rows() {
        return Stream.of(arguments(200, 180), arguments(50, 45));
    }

    /** Rows. */
    @ParameterizedTest
    @MethodSource("rows")
    void net(int gross, int net) {
        assertEquals(net, shop.net(gross, 10), "no");
    }

    @Test
    @Override
    void plain() throws Exception {
        Cart cart = new Cart(3);
        assertTrue(cart.name().equals("x") && !cart.isEmpty(), () -> "why");
        assertNull(cart.find("y"));
        assertNotNull(null);
        Exception e = assertThrows(Bad.class, () -> cart.add(-1));
        assertThrows(Bad.class, () -> { cart.add(-2); assertTrue(true); });
        assertAll(() -> assertEquals(1, cart.size()), () -> { assertFalse(cart.full()); });
        for (int n : new int[] {1, 2}) if (n > 1) assertArrayEquals(new int[] {n}, cart.all(n));
        try {
            assertEquals(3, cart.parse("z"));
            fail("no");
        } catch (java.io.IOException | Bad bad) {
            assertEquals("z", bad.getMessage());
        }
        try {
            assertSame(cart, cart);
        } catch (AssertionError error) {
            cart.add(1);
        }
        int later;
        assertEquals(4, later = cart.size());
        assert later == 4 : "later";
        assertThat(cart.name()).as("m").isEqualTo("x").hasSize(1);
        org.hamcrest.MatcherAssert.assertThat(cart.size(), is(not(5)));
        assertThatThrownBy(() -> cart.add(-3)).hasMessage("bad");
        assertThatExceptionOfType(Bad.class).isThrownBy(() -> cart.add(-4)).withMessage("bad");
        checkCart(cart);
        assertCart(cart);
        verify(bank).pay(6);
        cart.items().forEach(i -> assertTrue(i > 7));
    }

    @TestFactory
    Stream<DynamicTest> made() { return null; }
}
"#;

const FOUR: &str = "import org.junit.*;\npublic class OldTest {\n    @Test(timeout = 9, expected = IllegalStateException.class)\n    public void breaks() { new Cart().add(-1); }\n    @Rule public ExpectedException thrown = ExpectedException.none();\n    @Test public void ruled() { thrown.expect(Bad.class); new Cart().add(-2); }\n}\n";

fn made(text: &str, lines: &[u32]) -> String {
    let one = |(number, line): (usize, &u32)| Sample { number, line: *line, copies: vec![vec![]] };
    let samples: Vec<Sample> = lines.iter().enumerate().map(one).collect();
    let made = observing("src/test/java/shop/NetTest.java", text, &samples, &Channel("c1".into()));
    let made = made.unwrap();
    assert_eq!(made.samples.len(), lines.len());
    assert_eq!(made.lines.len(), lines.len());
    let beside: Vec<String> = made.beside.into_keys().collect();
    assert_eq!(beside, ["src/test/java/shop/ObChannel__.java"]);
    made.text
}

#[test]
fn a_test_of_java_stands_there_once_a_copy_with_its_checks_recorded() {
    insta::assert_snapshot!(made(FIVE, &[12, 18]));
}

#[test]
fn an_exception_that_the_whole_test_must_end_with_is_a_check_of_its_own() {
    insta::assert_snapshot!(made(FOUR, &[3, 6]));
}

#[test]
fn what_gives_something_back_is_not_observed_and_rows_beside_a_test_are_copied_with_it() {
    let file = "src/test/java/shop/NetTest.java";
    assert_eq!(span(file, FIVE, 56), None);
    let whole = &FIVE[span(file, FIVE, 12).unwrap()];
    assert!(whole.starts_with("static Stream<Arguments> rows()"), "{whole}");
    let used_twice = FIVE.replace("made() { return null; }", "made() { return rows(); }");
    let whole = &used_twice[span(file, &used_twice, 12).unwrap()];
    assert!(whole.starts_with("@ParameterizedTest"), "{whole}");
}

#[test]
fn other_inputs_stand_in_a_copy_of_java_where_the_test_has_its_own() {
    let file = "src/test/java/shop/NetTest.java";
    let from = FIVE[span(file, FIVE, 18).unwrap()].find("\"z\"").unwrap();
    let edit = Edit { line: 0, from, to: from + 3, text: "\"q\"".into(), what: String::new() };
    let sample = Sample { number: 0, line: 18, copies: vec![vec![], vec![edit]] };
    let made = observing(file, FIVE, &[sample], &Channel("c1".into())).unwrap();
    assert!(made.text.contains("ob_s9.see(0, cart.parse(\"q\"))"), "{}", made.text);
}

#[test]
fn methods_beside_tests_tell_what_they_see() {
    let text = "class CartTest {\n    @Test\n    void net() { checkNet(200, 180); }\n    private void checkNet(int gross, int want) { assertEquals(want, Cart.net(gross)); }\n}\n";
    let samples = [Sample { number: 0, line: 2, copies: vec![Vec::new()] }];
    let file = "src/test/java/CartTest.java";
    let made = observing(file, text, &samples, &Channel("c1".into())).unwrap().text;
    assert!(made.contains("ob_.go(); checkNet(200, 180); }"), "{made}");
    assert!(made.contains("final ObChannel__ ob_ = ObChannel__.now();"), "{made}");
    assert!(made.contains("ob_.look(10000, \"eq\")"), "{made}");
}
