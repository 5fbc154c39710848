use crate::js::items::items;
use crate::tree::MemoryTree;
use proctor_core::item::Shape;

fn all(files: &[(&str, &str)]) -> Vec<Shape> {
    let tree: MemoryTree = files.iter().copied().collect();
    items(&tree, &[files[0].0.to_owned()]).into_iter().map(|i| i.shape).collect()
}

/// The shape of a test with this body, in a file that begins with `head`.
fn shape_in(head: &str, body: &str) -> Shape {
    let source = format!("{head}\nit('x', async (t) => {{\n{body}\n}});\n");
    let list = all(&[("a.test.ts", &source)]);
    assert!(!list.is_empty(), "{body}");
    list[0]
}

fn shape(body: &str) -> Shape {
    shape_in("", body)
}

#[test]
fn a_body_that_checks_something_is_sound() {
    for body in [
        "expect(f()).toBe(1);",
        "expect(f()).not.toEqual({ a: 1 });",
        "return expect(f()).resolves.toBe(1);",
        "await expect(f()).rejects.toThrow('x');",
        "expect(() => f()).toThrow();",
        "expect(f()).toMatchSnapshot();",
        "expect(f()).toMatchInlineSnapshot(`1`);",
        "expect.assertions(1); await f().catch(g);",
        "expect.soft(f()).toBe(1);",
        "await expect.poll(() => f()).toBe(1);",
        "expect(f()).to.be.true;",
        "expect(f()).to.have.property('a').that.equals(1);",
        "f().should.equal(1);",
        "f().should.be.true;",
        "should.exist(f());",
        "assert(f());",
        "assert.strictEqual(f(), 1);",
        "await assert.rejects(() => f());",
        "t.assert.deepEqual(f(), []);",
        "t.plan(1);",
        "sinon.assert.calledOnce(spy);",
        "chai.assert.isOk(f());",
        "expectTypeOf(f()).toEqualTypeOf<number>();",
        "assertType<string>(f());",
        "await request(app).get('/').expect(200);",
        "return request(app).get('/').expect('a', /b/).then(g);",
        "render(a); screen.getByText('b');",
        "await screen.findAllByRole('button');",
        "fc.assert(fc.property(fc.integer(), (n) => f(n) === n));",
        "f().forEach((x) => { expect(x).toBe(1); });",
        "for (const x of f()) { expect(x).toBe(1); }",
        "if (f() !== 1) throw new Error('no');",
        "try { f(); assert.fail('no'); } catch (e) { g(e); }",
        "try { f(); } catch (e) { return; } throw new Error('no');",
        "await t.test('sub', () => { expect(f()).toBe(1); });",
        "scope.assertDone();",
        "await page.expectTitle('a');",
        "expect(a).toBe(b);",
        "expect(f()).toBe(f());",
        "expect([]).toEqual(list);",
        "expect(true).toBe(f());",
    ] {
        assert_eq!(shape(body), Shape::Sound, "{body}");
    }
}

#[test]
fn a_body_without_a_check_is_seen() {
    for body in [
        "",
        "f();",
        "// expect(f()).toBe(1)",
        "const text = 'expect(f()).toBe(1)';",
        "expect(f());",
        "expectTypeOf(f());",
        "expect(true).toBe(true);",
        "f(); expect(1).toEqual(1);",
        "expect(1).not.toBe(2);",
        "expect(true).to.be.true;",
        "assert(true);",
        "assert.ok(1);",
        "assert.equal('a', \"a\");",
        "assert.notEqual(1, 2);",
        "expect(a.b).toBe(a.b);",
        "console.assert(f());",
        "g(expect.any(Number), expect.objectContaining({ a: 1 }));",
        "expect.extend({ toBeOdd: f });",
        "repo.findById(1); getById(2);",
        "const fake = () => { throw new Error('x'); }; f(fake);",
        "checkout(); cart.verify(); f.expectedTotal();",
        "return; expect(f()).toBe(1);",
        "cart.fail();",
        "screen.queryByText('a');",
    ] {
        assert_eq!(shape(body), Shape::NoAssertion, "{body}");
    }
}

#[test]
fn a_body_that_always_fails_is_seen() {
    for body in [
        "expect(true).toBe(false);",
        "expect(false).toBeTruthy();",
        "expect(1).toEqual(2);",
        "expect(1).not.toBe(1);",
        "expect(true).to.be.false;",
        "expect('a').to.equal('b');",
        "assert(false);",
        "assert(false, 'later');",
        "assert.ok(0);",
        "assert.strictEqual(1, 2);",
        "assert.fail();",
        "assert.fail('later');",
        "expect.fail('later');",
        "expect.unreachable();",
        "throw new Error('not yet');",
        "fail('later');",
        "t.assert.fail();",
        "t.fail();",
        "f(); expect(f()).toBe(1); throw new Error('x');",
        "return Promise.reject(new Error('x'));",
        "await expect(true).toBe(false);",
        "expect(!true).toBe(true);",
        "expect(1 === 2).toBe(true);",
        "expect(undefined).toBeDefined();",
    ] {
        assert_eq!(shape(body), Shape::ConstantFailure, "{body}");
    }
    let arrow = all(&[("a.test.js", "it('x', () => expect(1).toBe(2));")]);
    assert_eq!(arrow, [Shape::ConstantFailure]);
    let called_back = all(&[("a.test.js", "it('x', (done) => { done(new Error('x')); });")]);
    assert_eq!(called_back, [Shape::ConstantFailure]);
}

#[test]
fn imported_assertions_are_known_by_any_name() {
    for head in [
        "import { strictEqual as same } from 'node:assert';",
        "import { equal as same } from 'node:assert/strict';",
        "const { strictEqual: same } = require('assert');",
    ] {
        assert_eq!(shape_in(head, "same(f(), 1);"), Shape::Sound, "{head}");
        assert_eq!(shape_in(head, "same(1, 2);"), Shape::ConstantFailure, "{head}");
        assert_eq!(shape_in(head, "same(1, 1);"), Shape::NoAssertion, "{head}");
    }
    assert_eq!(shape_in("import a from 'node:assert';", "a.equal(f(), 1);"), Shape::Sound);
    assert_eq!(shape_in("import { expect as e } from 'vitest';", "e(f()).toBe(1);"), Shape::Sound);
    assert_eq!(
        shape_in("import { verify } from 'ts-mockito';", "verify(f()).once();"),
        Shape::Sound
    );
    assert_eq!(shape_in("import { fail } from '../src/a';", "fail();"), Shape::NoAssertion);
}

#[test]
fn a_helper_of_the_same_file_counts_only_if_it_checks() {
    let with = |helper: &str| shape_in(helper, "checkCart(f());");
    assert_eq!(with("function checkCart(x) { expect(x.total).toBe(1); }"), Shape::Sound);
    assert_eq!(with("const checkCart = (x) => expect(x.total).toBe(1);"), Shape::Sound);
    assert_eq!(with("function checkCart(x) { if (!x) throw new Error('x'); }"), Shape::Sound);
    assert_eq!(
        with("const checkCart = (x) => inner(x); function inner(x) { assert(x); }"),
        Shape::Sound
    );
    assert_eq!(with("function checkCart(x) { return x; }"), Shape::NoAssertion);
    assert_eq!(with("function checkCart(x) { checkCart(x); }"), Shape::NoAssertion);
    assert_eq!(
        shape_in("function row(x) { expect(x).toBe(1); }", "rows.forEach(row);"),
        Shape::Sound
    );
    assert_eq!(shape_in("function assert(x) { log(x); }", "assert(f());"), Shape::NoAssertion);
}

#[test]
fn a_wrapped_or_named_body_is_read() {
    for source in [
        "it('x', fakeAsync(() => { expect(f()).toBe(1); }));",
        "const body = () => { expect(f()).toBe(1); };\nit('x', body);",
        "it('x', async function () { assert.equal(await f(), 1); }, 5000);",
    ] {
        assert_eq!(all(&[("a.test.js", source)]), [Shape::Sound], "{source}");
    }
    assert_eq!(all(&[("a.test.js", "it('x', wrapped(() => { f(); }));")]), [Shape::NoAssertion]);
}

#[test]
fn a_helper_of_another_test_file_is_read_and_production_code_is_no_check() {
    let test = |import: &str, call: &str| format!("{import}\nit('x', () => {{ {call}; }});");
    let named = test("import { checkCart } from './helpers/cart';", "checkCart(f())");
    let with = |source: &str, helper: (&str, &str)| all(&[("tests/a.test.ts", source), helper])[0];
    let asserts = "export function checkCart(x) { expect(x).toBe(1); }";
    assert_eq!(with(&named, ("tests/helpers/cart.ts", asserts)), Shape::Sound);
    assert_eq!(with(&named, ("tests/helpers/cart/index.js", asserts)), Shape::Sound);
    let hollow = "export const checkCart = (x) => x;";
    assert_eq!(with(&named, ("tests/helpers/cart.ts", hollow)), Shape::NoAssertion);
    // It was not given to us: only its name speaks.
    assert_eq!(all(&[("tests/a.test.ts", &named)]), [Shape::Sound]);
    let silent = test("import { cart } from './helpers/cart';", "cart(f())");
    assert_eq!(all(&[("tests/a.test.ts", &silent)]), [Shape::NoAssertion]);
    let whole = test("import * as helpers from './helpers/cart';", "helpers.checkCart(f())");
    assert_eq!(with(&whole, ("tests/helpers/cart.ts", asserts)), Shape::Sound);
    let default = test("const check = require('./helpers/cart');", "check.checkCart(f())");
    assert_eq!(with(&default, ("tests/helpers/cart.ts", asserts)), Shape::Sound);
    let default = test("import it2 from './helpers/cart';", "it2(f())");
    let exported = "export default function (x) { expect(x).toBe(1); }";
    assert_eq!(with(&default, ("tests/helpers/cart.ts", exported)), Shape::Sound);
    let object = test("import { page } from './helpers/cart';", "page.expectTitle()");
    assert_eq!(all(&[("tests/a.test.ts", &object)]), [Shape::Sound]);
    let production = test("import { assertCart } from '../src/cart';", "assertCart(f())");
    let code = "export function assertCart(x) { if (!x) throw new Error('x'); }";
    assert_eq!(with(&production, ("src/cart.ts", code)), Shape::NoAssertion);
    let passed_on = [
        ("tests/a.test.ts", named.as_str()),
        ("tests/helpers/cart.ts", "export { checkCart } from '../more';"),
        ("tests/more.ts", asserts),
    ];
    assert_eq!(all(&passed_on), [Shape::Sound]);
}
