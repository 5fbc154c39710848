use super::*;
use crate::tree::MemoryTree;

fn in_file(path: &str, source: &str) -> Vec<TestItem> {
    let tree: MemoryTree = [(path, source)].into_iter().collect();
    items(&tree, &[path.to_owned()])
}

fn found(source: &str) -> Vec<TestItem> {
    in_file("a.test.ts", source)
}

/// The ids without their file.
fn ids(source: &str) -> Vec<String> {
    let strip = |i: TestItem| i.id.0.strip_prefix("a.test.ts > ").unwrap_or("?").to_owned();
    found(source).into_iter().map(strip).collect()
}

#[test]
fn a_vitest_file_has_the_ids_that_vitest_gives() {
    let source = "import { describe, expect, it, test } from 'vitest';
import { Cart } from './cart';

describe('Cart', () => {
  let cart: Cart;
  beforeEach(() => { cart = new Cart(); });

  it('is empty at first', () => {
    expect(cart.items).toHaveLength(0);
  });
  describe.concurrent(\"with items\", () => {
    it.only('has a total', async () => { await expect(cart.total()).resolves.toBe(3); });
  });
});
test('stands alone', { timeout: 5 }, () => expect<number>(1 + one()).toBe(2));
";
    let list = in_file("src/cart.test.ts", source);
    let all: Vec<&str> = list.iter().map(|i| i.id.as_str()).collect();
    assert_eq!(
        all,
        [
            "src/cart.test.ts > Cart > is empty at first",
            "src/cart.test.ts > Cart > with items > has a total",
            "src/cart.test.ts > stands alone",
        ]
    );
    assert_eq!(
        list[0].text,
        "it('is empty at first', () => { expect(cart.items).toHaveLength(0); })"
    );
    assert_eq!(list[0].place, Place { file: "src/cart.test.ts".to_owned(), line: Some(8) });
    assert!(list.iter().all(|i| i.shape == Shape::Sound), "{list:?}");
}

#[test]
fn every_ending_is_read_in_its_own_language() {
    for (path, source) in [
        ("a.test.js", "test('x', () => { expect(<A b=\"c\" />).toBe(f()); });"),
        ("a.test.jsx", "test('x', () => { expect(<A b=\"c\" />).toBe(f()); });"),
        ("a.test.mjs", "test('x', () => { expect(f()).toBe(1); });"),
        ("a.test.cjs", "test('x', () => { expect(f()).toBe(1); });"),
        ("a.test.ts", "test('x', () => { expect(<any>f() as number).toBe(1); });"),
        ("a.test.mts", "test('x', (): void => { expect(f()!).toBe(1); });"),
        ("a.test.cts", "test('x', (): void => { expect(f()!).toBe(1); });"),
        ("a.test.tsx", "test('x', (): void => { expect(<A<string> b=\"c\" />).toBe(f()); });"),
    ] {
        let list = in_file(path, source);
        assert_eq!(list.len(), 1, "{path}");
        assert_eq!(list[0].id.as_str(), format!("{path} > x"));
        assert_eq!(list[0].shape, Shape::Sound, "{path}");
    }
    for path in ["a.test.py", "a.d.ts", "__mocks__/a.test.js", "node_modules/b/a.test.js"] {
        assert!(in_file(path, "test('x', () => { expect(f()).toBe(1); });").is_empty(), "{path}");
    }
}

#[test]
fn the_words_of_every_tool_are_known() {
    let source = "
suite('S', () => { test('a', () => {}); });
context('C', () => { specify('b', () => {}); });
fdescribe('F', () => { fit('c', () => {}); });
test.describe('D', () => { test('d', () => {}); });
it.concurrent('e', () => {});
it.sequential.only('f', () => {});
describe.runIf(linux)('R', () => { it.skipIf(windows)('g', () => {}); });
(slow ? it : it.skip)('h', () => {});
const maybe = slow ? test : test.skip;
maybe('i', () => {});
const cartTest = test.extend({ cart: 1 });
cartTest('j', () => {});
if (slow) { it('k', () => {}); }
";
    assert_eq!(
        ids(source),
        ["S > a", "C > b", "F > c", "D > d", "e", "f", "R > g", "h", "i", "j", "k"]
    );
}

#[test]
fn renamed_imports_are_followed_and_other_functions_are_not_tests() {
    let source = "
import nodeTest, { describe as group, it as spec } from 'node:test';
import * as tool from 'vitest';
const { test: check } = require('@jest/globals');
group('G', () => { spec('a', () => {}); });
nodeTest('b', () => {});
nodeTest.describe('H', () => { nodeTest.it('c', () => {}); });
tool.test('d', () => {});
tool.describe.each([1])('E', () => { tool.it('e', () => {}); });
check('f', () => {});
/a/.test('not one');
pattern.test('not one');
cart.it('not one', () => {});
function context(name) { return name; }
context('not one', () => {});
beforeEach(() => {});
test.beforeEach(() => {});
it.each([1]);
";
    assert_eq!(ids(source), ["G > a", "b", "H > c", "d", "E > e…", "f"]);
}

#[test]
fn titles_made_of_constants_are_known() {
    let source = r#"
import { Cart, add as plus, TITLE } from './cart';
const NAME = 'cart';
const LONG = NAME + ' of ' + `many ${NAME}s`;
class Local {}
function helper() {}
let changing = 'x';
it(`plain`, () => {});
it(NAME, () => {});
it(LONG, () => {});
it(`the ${NAME} has ${2} parts`, () => {});
it('it\'s \u00e4 "b"\n', () => {});
describe(Cart, () => { it('a', () => {}); });
describe(Cart.name, () => { it('b', () => {}); });
describe(plus, () => { it('c', () => {}); });
describe(Local.name + ' class', () => { it('d', () => {}); });
describe(helper.name, () => { it(4, () => {}); });
test(function named() { });
it(changing, () => {});
it(TITLE, () => {});
it('a' as const, () => {});
"#;
    assert_eq!(
        ids(source),
        [
            "plain",
            "cart",
            "cart of many carts",
            "the cart has 2 parts",
            "it's ä \"b\"\n",
            "Cart > a",
            "Cart > b",
            "add > c",
            "Local class > d",
            "helper > 4",
            "named",
            "…",
            "…",
            "a",
        ]
    );
}

#[test]
fn what_only_a_run_would_tell_ends_the_id() {
    let source = "
const name = 'outer';
it(`adds ${f()} and more`, () => {});
it.each([[1, 2]])('sum of %i and %i', (a, b) => {});
it.each`a | b\n${1} | ${2}`('$a + $b', ({ a, b }) => {});
it.for([1])('no placeholder', () => {});
test.concurrent.each(rows)('rows $name', () => {});
describe.each(rows)('group %s', (name) => { it('x', () => {}); it(name, () => {}); });
describe.each(rows)('fixed', (name) => { it('x', () => {}); it(`y ${name}`, () => {}); });
describe(`in ${f()}`, () => { describe('deep', () => { it('z', () => {}); }); });
for (const name of names) { it(`loops ${name}`, () => {}); it('same', () => {}); }
rows.forEach(({ name }) => { it('for ' + name, () => {}); });
it('then ' + f() + ' end', () => {});
";
    assert_eq!(
        ids(source),
        [
            "adds …",
            "sum of …",
            "…",
            "no placeholder…",
            "rows …",
            "group …",
            "group …",
            "fixed > x…",
            "fixed > y …",
            "in …",
            "loops …",
            "same…",
            "for …",
            "then …",
        ]
    );
    let item = &found(source)[1];
    assert!(item.covers(&TestId::new("a.test.ts > sum of 1 and 2")));
}

#[test]
fn the_second_test_of_the_same_name_gets_a_number() {
    let source = "
describe('A', () => { it('x', () => {}); it('x', () => {}); });
describe('B', () => { it('x', () => {}); });
describe('A', () => { it('x', () => {}); });
it.each([1])('y', () => {});
it.each([1])('y', () => {});
";
    assert_eq!(ids(source), ["A > x", "A > x #2", "B > x", "A > x #3", "y…", "y…"]);
}

#[test]
fn subtests_of_node_stand_below_their_test() {
    let source = "
const test = require('node:test');
test('a', async (t) => {
  await t.test('sub', async (inner) => {
    await inner.test('deep', () => { assert.equal(f(), 1); });
  });
  for (const n of list) { await t.test(`n ${n}`, () => { assert.ok(n); }); }
  await other.test('not one');
});
";
    assert_eq!(ids(source), ["a", "a > sub", "a > sub > deep", "a > n …"]);
    assert!(found(source).iter().all(|i| i.shape == Shape::Sound));
}

#[test]
fn functions_that_define_tests_are_followed_where_they_are_called() {
    let source = "
function behavesLikeACart(make, label) {
  it('is empty', () => { expect(make().size).toBe(0); });
  it(`is a ${label}`, () => { expect(make()).toBeDefined(); });
}
const unused = () => { it('never', () => {}); };
function cartTest(name, body) { it(name, body); }
function again() { it('loops', () => { expect(f()).toBe(1); }); again(); }
function suiteBody() { it('inside', () => { expect(f()).toBe(1); }); }
describe('small', () => behavesLikeACart(small, 'cart'));
describe('big', () => { behavesLikeACart(big, f()); });
cartTest('wrapped', () => { expect(f()).toBe(1); });
cartTest('hollow', () => { f(); });
again();
describe('named', suiteBody);
[1, 2].forEach(suiteBody);
(() => { it('at once', () => { expect(f()).toBe(1); }); })();
";
    assert_eq!(
        ids(source),
        [
            "small > is empty",
            "small > is a cart",
            "big > is empty",
            "big > is a …",
            "wrapped",
            "hollow",
            "loops",
            "named > inside",
            "inside…",
            "at once",
        ]
    );
    let list = found(source);
    assert!(list[4].text.contains("expect(f())"), "a changed body must change the text");
    let hollow: Vec<&str> =
        list.iter().filter(|i| i.shape != Shape::Sound).map(|i| i.id.as_str()).collect();
    assert_eq!(hollow, ["a.test.ts > hollow"]);
}

#[test]
fn skips_are_seen_wherever_they_are_written() {
    for source in [
        "it.skip('x', () => { expect(f()).toBe(1); });",
        "test.todo('x');",
        "it('x');",
        "xit('x', () => { expect(f()).toBe(1); });",
        "xtest('x', () => { expect(f()).toBe(1); });",
        "test.fails('x', () => { expect(f()).toBe(1); });",
        "test.failing('x', () => { expect(f()).toBe(1); });",
        "test.skip.each([1])('x', () => { expect(f()).toBe(1); });",
        "xdescribe('d', () => { it('x', () => { expect(f()).toBe(1); }); });",
        "describe.skip('d', () => { describe('e', () => { it('x', () => { expect(f()).toBe(1); }); }); });",
        "describe('d', { skip: true }, () => { it('x', () => { expect(f()).toBe(1); }); });",
        "test('x', { todo: 'later' }, () => { expect(f()).toBe(1); });",
        "test('x', (t) => { t.skip('no'); expect(f()).toBe(1); });",
        "test('x', (t) => { t.todo(); expect(f()).toBe(1); });",
        "it('x', function () { this.skip(); expect(f()).toBe(1); });",
        "it('x', ({ skip }) => { skip(); expect(f()).toBe(1); });",
        "const off = it.skip; off('x', () => { expect(f()).toBe(1); });",
    ] {
        let list = found(source);
        assert_eq!(list.len(), 1, "{source}");
        assert_eq!(list[0].shape, Shape::Skipped, "{source}");
    }
    for source in [
        "it.skipIf(a)('x', () => { expect(f()).toBe(1); });",
        "(a ? it : it.skip)('x', () => { expect(f()).toBe(1); });",
        "test('x', { skip: false }, () => { expect(f()).toBe(1); });",
        "test('x', (t) => { if (a) t.skip(); expect(f()).toBe(1); });",
        "it('x', () => { cart.skip(); expect(f()).toBe(1); });",
    ] {
        assert_eq!(found(source)[0].shape, Shape::Sound, "{source}");
    }
}

#[test]
fn exercism_style_files_are_read() {
    let list = in_file(
        "leap.spec.js",
        "import { describe, expect, test, xtest } from '@jest/globals';
import { isLeap } from './leap';

describe('A leap year', () => {
  test('year not divisible by 4 in common year', () => {
    expect(isLeap(2015)).toBe(false);
  });

  xtest('year divisible by 2, not divisible by 4', () => {
    expect(isLeap(1970)).toBe(false);
  });
});
",
    );
    let shapes: Vec<Shape> = list.iter().map(|i| i.shape).collect();
    assert_eq!(shapes, [Shape::Sound, Shape::Skipped]);
}
