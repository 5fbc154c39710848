//! Whose code would hold a name that a test uses: the project's, someone else's, or the test's own. Reads the test
//! file and follows its imports and simple bindings. When it is not sure, the name is not the project's.

use super::names::{Names, Part, Value, imported_module};
use super::packages::Modules;
use super::script::{Script, arguments, bare, chain, is_function, string};
use crate::syntax;
use crate::tree::{FolderTree, Tree};
use proctor_core::report::Owner;
use std::path::Path;
use tree_sitter::Node;

/// How many bindings lead from a name to an import at most.
const HOPS: u8 = 4;

/// Names that the language, node, a browser or a test tool supplies.
const GLOBALS: &str = "AggregateError Array ArrayBuffer Atomics BigInt Blob Boolean Buffer DOMException DataView Date Error \
    EvalError Event EventTarget File FormData Function Headers Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map \
    Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Request Response Set String Symbol \
    SyntaxError TextDecoder TextEncoder TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array WeakMap \
    WeakRef WeakSet WebSocket XMLHttpRequest AbortController AbortSignal after afterAll afterEach assert before beforeAll \
    beforeEach bench chai clearInterval clearTimeout console context crypto cy describe document done exports expect \
    expectTypeOf fail fetch global globalThis history isNaN isFinite it jasmine jest localStorage location mocha module \
    navigator parseFloat parseInt performance process queueMicrotask require screen self sessionStorage setImmediate \
    setInterval setTimeout sinon specify structuredClone suite test vi vitest window __dirname __filename";

/// Members of built-in types. Where nothing says what type a value has, one of these is no name of the project's.
const BUILT_IN_MEMBERS: &str = "at catch charAt concat endsWith entries every filter finally find findIndex flat flatMap \
    forEach getTime includes indexOf join keys map match matchAll padEnd padStart pop push reduce replace replaceAll \
    reverse shift slice some sort splice split startsWith substring then toFixed toISOString toLowerCase toString \
    toUpperCase trim unshift values";

/// Whose code would hold `name`, a name or a path of members such as `cart.total`, as the test file uses it.
pub fn owner(root: &Path, file: &str, name: &str) -> Owner {
    let tree = FolderTree::new(root);
    let Some(script) = Script::read(&tree, file) else { return Owner::TestItself };
    let names = Names::of(script.root(), &script.source);
    Reader { tree: &tree, script: &script, names: &names }.owner(name)
}

/// Whose module a specifier names, as the test file would load it.
pub fn module_owner(root: &Path, file: &str, specifier: &str) -> Owner {
    Modules { tree: &FolderTree::new(root), file }.owner(specifier)
}

struct Reader<'a> {
    tree: &'a dyn Tree,
    script: &'a Script,
    names: &'a Names<'a>,
}

/// How surely a value is known to be what the project's code made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// An import, an instance of an imported class, what an imported function returned.
    Direct(Owner),
    /// A part of such a value, or what one of its methods returned: it may be of a built-in type.
    Within(Owner),
}

impl Origin {
    fn owner(self) -> Owner {
        match self {
            Self::Direct(owner) | Self::Within(owner) => owner,
        }
    }

    fn within(self) -> Self {
        Self::Within(self.owner())
    }
}

impl Reader<'_> {
    fn owner(&self, name: &str) -> Owner {
        let name = name.trim().trim_start_matches("new ").trim_start_matches("await ");
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let head = name.split(|c| !is_part(c)).next().unwrap_or("");
        if head.is_empty() {
            return Owner::TestItself;
        }
        let members: Vec<&str> = name.split('.').skip(1).collect();
        let origin = self.origin(head, HOPS);
        let last = members.last().map_or("", |m| m.split(|c| !is_part(c)).next().unwrap_or(""));
        let built_in = BUILT_IN_MEMBERS.split_whitespace().any(|known| known == last);
        match origin {
            Origin::Direct(owner) if members.len() < 2 => owner,
            Origin::Direct(_) | Origin::Within(_) if built_in => Owner::Elsewhere,
            Origin::Direct(owner) | Origin::Within(owner) => owner,
        }
    }

    /// Everything that a name is bound to must agree.
    fn origin(&self, name: &str, hops: u8) -> Origin {
        let imports = self.names.imports.get(name).into_iter().flatten();
        let mut found: Vec<Origin> =
            imports.map(|i| Origin::Direct(self.module(&i.specifier))).collect();
        for value in self.names.values.get(name).into_iter().flatten() {
            found.extend(self.of_value(value, hops));
        }
        if self.names.functions.contains_key(name) || self.names.classes.contains_key(name) {
            found.push(Origin::Direct(Owner::TestItself));
        }
        let Some(first) = found.first().copied() else {
            let global = GLOBALS.split_whitespace().any(|known| known == name);
            return Origin::Direct(if global { Owner::Elsewhere } else { Owner::TestItself });
        };
        let other = found.iter().find(|o| o.owner() != Owner::Project);
        let unsure = found.iter().find(|o| matches!(o, Origin::Within(_)));
        *other.or(unsure).unwrap_or(&first)
    }

    fn of_value(&self, value: &Value<'_>, hops: u8) -> Option<Origin> {
        // `cart = undefined` in a tear-down says nothing about what it was.
        if matches!(value.from.kind(), "undefined" | "null") {
            return None;
        }
        let origin = self.of_expression(value.from, hops);
        Some(match value.part {
            // `const { total } = cart`: the name itself is what `cart` should hold.
            Part::Inside if matches!(origin, Origin::Direct(Owner::Project)) => origin.within(),
            Part::All | Part::Inside => origin,
        })
    }

    fn of_expression(&self, node: Node<'_>, hops: u8) -> Origin {
        let node = bare(node);
        let source = &self.script.source;
        let unsure = Origin::Direct(Owner::TestItself);
        if hops == 0 {
            return unsure;
        }
        if let Some((specifier, _)) = imported_module(node, source) {
            return Origin::Direct(self.module(&specifier));
        }
        match node.kind() {
            "identifier" => self.origin(syntax::text(node, source), hops - 1),
            "new_expression" => node
                .child_by_field_name("constructor")
                .map_or(unsure, |c| self.of_expression(c, hops)),
            "member_expression" | "subscript_expression" => node
                .child_by_field_name("object")
                .map_or(unsure, |object| self.of_expression(object, hops).within()),
            "call_expression" => self.of_call(node, hops),
            _ => unsure,
        }
    }

    fn of_call(&self, call: Node<'_>, hops: u8) -> Origin {
        let unsure = Origin::Direct(Owner::TestItself);
        let Some(function) = call.child_by_field_name("function").map(bare) else { return unsure };
        let source = &self.script.source;
        let words = chain(function, source);
        if let ["vi" | "jest" | "vitest", "mocked"] = words.as_slice() {
            let first = arguments(call).first().copied();
            return first.map_or(unsure, |n| self.of_expression(n, hops));
        }
        if function.kind() == "identifier"
            && let Some(own) = self.names.functions.get(syntax::text(function, source))
        {
            return self.returned(*own, hops - 1);
        }
        match function.kind() {
            // `Cart.of(1)` makes what the class makes; `cart.items()` may return anything.
            "member_expression" => {
                let object = function.child_by_field_name("object").map(bare);
                let imported = object
                    .filter(|o| o.kind() == "identifier")
                    .is_some_and(|o| self.names.only_import(syntax::text(o, source)).is_some());
                let origin = self.of_expression(function, hops);
                if imported { Origin::Direct(origin.owner()) } else { origin }
            }
            "identifier" => self.of_expression(function, hops),
            _ => unsure,
        }
    }

    /// What a function of the test file returns, where all its ways out agree.
    fn returned(&self, function: Node<'_>, hops: u8) -> Origin {
        let unsure = Origin::Direct(Owner::TestItself);
        let Some(body) = function.child_by_field_name("body").filter(|_| hops > 0) else {
            return unsure;
        };
        if body.kind() != "statement_block" {
            return self.of_expression(body, hops);
        }
        let own = syntax::nodes_into(body, |n| !is_function(n));
        let returns = own.filter(|n| n.kind() == "return_statement").map(|n| n.named_child(0));
        let of = |value: Option<Node<'_>>| value.map_or(unsure, |n| self.of_expression(n, hops));
        let found: Vec<Origin> = returns.map(of).collect();
        let other = found.iter().find(|o| o.owner() != Owner::Project);
        other.or(found.first()).copied().unwrap_or(unsure)
    }

    fn module(&self, specifier: &str) -> Owner {
        if self.is_replaced(specifier) {
            return Owner::TestItself;
        }
        Modules { tree: self.tree, file: &self.script.path }.owner(specifier)
    }

    /// `vi.mock('../src/db', () => ({ … }))`: what the module holds is what the test wrote.
    fn is_replaced(&self, specifier: &str) -> bool {
        let source = &self.script.source;
        let mut calls = syntax::nodes(self.script.root()).filter(|n| n.kind() == "call_expression");
        calls.any(|n| {
            let replaces = matches!(
                chain(n, source).as_slice(),
                ["vi" | "vitest" | "jest", "mock" | "doMock" | "unstable_mockModule" | "setMock"]
                    | [.., "mock", "module"]
            );
            let given = arguments(n);
            let [module, _, ..] = given.as_slice() else { return false };
            // `vi.mock(import('../src/db'), …)` names it too.
            let named = string(*module, source)
                .or_else(|| imported_module(*module, source).map(|(name, _)| name));
            replaces && named.as_deref() == Some(specifier)
        })
    }
}

#[cfg(test)]
#[path = "imports_tests.rs"]
mod tests;
