use super::*;
use Owner::{Elsewhere, Project, TestItself};

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// Who owns each name in a test file with this source.
fn owners(file: &str, source: &str, wanted: &[(&str, Owner)]) {
    let folder = tree(&[
        (file, source),
        ("package.json", r#"{"name": "shop", "dependencies": {"lodash": "1"}}"#),
        ("src/cart.ts", ""),
        ("tests/helpers.ts", ""),
    ]);
    for (name, owner_wanted) in wanted {
        assert_eq!(owner(folder.path(), file, name), *owner_wanted, "{name}");
    }
}

#[test]
fn an_import_is_owned_by_where_it_comes_from() {
    owners(
        "tests/cart.test.ts",
        "import { describe, it as spec } from 'vitest';
import Cart, { add, total as sum } from '../src/cart';
import * as shop from '../src/shop.js';
import { make } from './helpers';
import type { Price } from '../src/price';
import { type Tax, tax } from '../src/tax';
import _, { map as each } from 'lodash';
import fs from 'node:fs';
import { own } from 'shop/pricing';
import '../src/side';
const { later, other: renamed } = require('../src/later');
const wholeModule = require('../src/whole');
const member = require('../src/whole').member;
const actual = jest.requireActual('../src/cart');
const { assert } = require('chai');
it('x', async () => {
  const { lazy } = await import('../src/lazy.js');
  const real = await vi.importActual<typeof import('../src/cart')>('../src/cart');
  const taken = (await import('../src/lazy.js')).taken;
});
",
        &[
            ("Cart", Project),
            ("add", Project),
            ("sum", Project),
            ("shop.anything", Project),
            ("later", Project),
            ("renamed", Project),
            ("wholeModule.x", Project),
            ("member", Project),
            ("actual.add", Project),
            ("lazy", Project),
            ("real.add", Project),
            ("taken", Project),
            ("own", Project),
            ("tax", Project),
            ("Price", TestItself),
            ("Tax", TestItself),
            ("make", TestItself),
            ("total", TestItself),
            ("spec", Elsewhere),
            ("describe", Elsewhere),
            ("each", Elsewhere),
            ("_.nothing", Elsewhere),
            ("fs.readAll", Elsewhere),
            ("assert", Elsewhere),
        ],
    );
}

#[test]
fn a_value_belongs_to_what_made_it() {
    owners(
        "tests/cart.test.ts",
        "import { Cart, makeCart, Shop } from '../src/cart';
import { render } from '@testing-library/react';
const fresh = () => new Cart();
function build() { const made = makeCart(); return made; }
function either(x) { if (x) { return { total: 1 }; } return new Cart(); }
let held: Cart;
let reset;
beforeEach(async () => { held = await makeCart(); reset = new Cart(); });
afterEach(() => { reset = undefined; });
it('x', () => {
  const cart = new Cart();
  const made = makeCart(1) as Cart;
  const factory = Cart.of(1);
  const own = { total: 1 };
  const view = render(cart);
  const again = cart;
  const third = again;
  const { total } = cart;
  const items = cart.items;
  const shop = new Shop.Small();
  const fake = vi.fn();
  const typed = vi.mocked(makeCart);
  const first = fresh(), second = build(), mixed = either(1);
  const n = Number('1'), parsed = JSON.parse('{}'), list = [1];
});
it('y', () => { const both = new Cart(); });
it('z', () => { const both = { total: 1 }; });
",
        &[
            ("cart.total", Project),
            ("cart.add", Project),
            ("cart.map", Project),
            ("new Cart", Project),
            ("makeCart(...).total", Project),
            ("made.total", Project),
            ("factory.total", Project),
            ("held.total", Project),
            ("reset.total", Project),
            ("third.total", Project),
            ("total", Project),
            ("items.sum", Project),
            ("items.map", Elsewhere),
            ("cart.items.sum", Project),
            ("cart.items.forEach", Elsewhere),
            ("shop.total", Project),
            ("typed.mockAll", Project),
            ("first.total", Project),
            ("second.total", Project),
            ("mixed.total", TestItself),
            ("both.total", TestItself),
            ("own.sum", TestItself),
            ("view.total", Elsewhere),
            ("fake.total", Elsewhere),
            ("n.total", Elsewhere),
            ("parsed.total", Elsewhere),
            ("list.total", TestItself),
        ],
    );
}

#[test]
fn bare_names_are_the_tests_or_the_languages() {
    owners(
        "tests/cart.test.ts",
        "function helper() {}\nclass Fake {}\nit('x', (given) => { given(); });\n",
        &[
            ("undefinedName", TestItself),
            ("helper", TestItself),
            ("Fake.make", TestItself),
            ("given.total", TestItself),
            ("this.cart", TestItself),
            ("(intermediate value).total", TestItself),
            ("", TestItself),
            ("Array.from2", Elsewhere),
            ("expect", Elsewhere),
            ("jest.spy", Elsewhere),
            ("document", Elsewhere),
        ],
    );
    let folder = tree(&[]);
    assert_eq!(owner(folder.path(), "gone.test.ts", "x"), TestItself);
}

#[test]
fn what_a_test_puts_in_place_of_a_module_is_its_own() {
    owners(
        "tests/cart.test.ts",
        "import { add } from '../src/cart';
import { load } from '../src/db';
import { send } from '../src/mail';
import { pay } from '../src/pay';
vi.mock('../src/cart');
vi.mock('../src/db', () => ({ load: 1 }));
jest.mock('../src/mail', () => ({}), { virtual: true });
vi.mock(import('../src/pay'), async () => ({}));
",
        &[("add", Project), ("load", TestItself), ("send", TestItself), ("pay", TestItself)],
    );
}

fn modules(files: &[(&str, &str)], file: &str, wanted: &[(&str, Owner)]) {
    let folder = tree(files);
    for (specifier, owner_wanted) in wanted {
        let found = module_owner(folder.path(), file, specifier);
        assert_eq!(found, *owner_wanted, "{specifier} from {file}");
    }
}

#[test]
fn a_relative_path_is_the_projects_where_it_leaves_the_tests() {
    modules(
        &[("src/cart.ts", ""), ("vitest.config.ts", "")],
        "tests/unit/cart.test.ts",
        &[
            ("../../src/cart", Project),
            ("../../src/cart.js", Project),
            ("../../src/not-there-yet", Project),
            ("../../lib", Project),
            ("../..", Project),
            ("./helper", TestItself),
            ("../helper.js", TestItself),
            ("../../src/__mocks__/cart", TestItself),
            ("../../src/other.test", TestItself),
            ("../../vitest.config.ts", Elsewhere),
            ("../../node_modules/x/index.js", Elsewhere),
            ("../../../outside", Elsewhere),
        ],
    );
    modules(
        &[("src/cart.test.ts", ""), ("src/helper.test.ts", "")],
        "src/cart.test.ts",
        &[("./cart", Project), ("./cart?raw", Project), ("./helper.test", TestItself)],
    );
}

#[test]
fn packages_of_the_repository_are_the_projects_and_others_are_not() {
    modules(
        &[
            ("package.json", r#"{"name": "root", "workspaces": ["packages/*"]}"#),
            ("packages/a/package.json", r#"{"name": "@shop/a"}"#),
            ("packages/b/package.json", r#"{"name": "@shop/b"}"#),
            ("tests/fixtures/x/package.json", r#"{"name": "react"}"#),
            ("vendor/y/package.json", r#"{"name": "vue"}"#),
            ("node_modules/z/package.json", r#"{"name": "z"}"#),
        ],
        "packages/a/test/a.test.ts",
        &[
            ("@shop/a", Project),
            ("@shop/a/pricing", Project),
            ("@shop/b", Project),
            ("root/x", Project),
            ("@shop/a/test/helper", TestItself),
            ("@shop/ab", Elsewhere),
            ("@shop/c", Elsewhere),
            ("react", Elsewhere),
            ("vue", Elsewhere),
            ("z", Elsewhere),
            ("never-heard-of", Elsewhere),
            ("node:fs", Elsewhere),
            ("fs/promises", Elsewhere),
            ("https://x/y.js", Elsewhere),
            ("/etc/x", Elsewhere),
            ("", Elsewhere),
        ],
    );
}

#[test]
fn a_package_may_name_its_own_parts_with_a_hash() {
    let manifest = r##"{"name": "shop", "imports": {
        "#db": "./src/db.js",
        "#lib/*": {"node": "./src/lib/*.js", "default": "./src/web/*.js"},
        "#lib/test/*": "./test/*.js",
        "#other": "lodash",
        "#mixed": {"node": "./src/a.js", "default": "lodash"}
    }}"##;
    modules(
        &[("package.json", manifest)],
        "test/a.test.js",
        &[
            ("#db", Project),
            ("#lib/cart", Project),
            ("#lib/test/x", TestItself),
            ("#other", Elsewhere),
            ("#mixed", Elsewhere),
            ("#unknown", Elsewhere),
        ],
    );
}

#[test]
fn path_aliases_of_the_compiler_lead_into_the_tree() {
    let config = r#"{
        // where things are
        "compilerOptions": {
            "baseUrl": ".", /* the root */
            "paths": {
                "@app/*": ["./src/*"],
                "@app/testing/*": ["./tests/*"],
                "cart": ["src/cart.ts"],
                "out/*": ["../elsewhere/*"],
                "deps/*": ["node_modules/*"],
                "*": ["types/*"],
            },
        },
    }"#;
    modules(
        &[
            ("tsconfig.json", config),
            ("package.json", r#"{"name": "x", "dependencies": {"src": "1"}}"#),
            ("src/cart.ts", ""),
            ("types/known.ts", ""),
            ("lib/a.ts", ""),
        ],
        "tests/a.test.ts",
        &[
            ("@app/new", Project),
            ("@app/testing/x", TestItself),
            ("cart", Project),
            ("known", Project),
            ("lib/b", Project),
            ("out/x", Elsewhere),
            ("deps/x", Elsewhere),
            ("lodash", Elsewhere),
            ("src/cart", Elsewhere),
        ],
    );
    modules(
        &[
            ("tsconfig.base.json", r#"{"compilerOptions": {"paths": {"~lib/*": ["./lib/*"]}}}"#),
            ("packages/a/tsconfig.json", r#"{"extends": "../../tsconfig.base"}"#),
            ("packages/a/package.json", "{}"),
        ],
        "packages/a/a.test.ts",
        &[("~lib/x", Project), ("~other/x", Elsewhere)],
    );
}

#[test]
fn the_usual_signs_for_the_root_need_something_to_stand_there() {
    modules(
        &[("src/utils/price.ts", ""), ("src/cart.ts", "")],
        "src/cart.test.ts",
        &[
            ("@/utils/new", Project),
            ("@/cart", Project),
            ("~/cart", Project),
            ("@/nowhere/x", Elsewhere),
            ("@scope/cart", Elsewhere),
        ],
    );
}
