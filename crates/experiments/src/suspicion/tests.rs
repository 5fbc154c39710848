use super::SuspicionKind::{
    Equality, Exit, Peeking, RunnerTampering, Skip, Suppression, TestDetection,
};
use super::*;

fn kinds(file: &str, source: &str) -> Vec<SuspicionKind> {
    let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
    let mut kinds: Vec<SuspicionKind> =
        suspicions(file, source, &lines).into_iter().map(|s| s.kind).collect();
    kinds.dedup();
    kinds
}

fn finds(file: &str, table: &[(SuspicionKind, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|(kind, source)| (kinds(file, source), kind, source))
        .filter(|(found, kind, _)| found.as_slice() != [**kind])
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn finds_nothing(file: &str, table: &[&str]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|source| {
            let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
            (suspicions(file, source, &lines), source)
        })
        .filter(|(found, _)| !found.is_empty())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_source_that_no_parser_reads_is_named_and_not_passed_by() {
    for (file, before, (open, close)) in [
        ("shop/cart.py", "x = ", ("(", ")")),
        ("src/cart.rs", "const X: u8 = ", ("{", "}")),
        ("cart.js", "x = ", ("[", "]")),
    ] {
        let source = format!("{before}{}1{};\n", open.repeat(50_000), close.repeat(50_000));
        assert_eq!(kinds(file, &source), [SuspicionKind::Hidden], "{file}");
    }
}

#[test]
fn python_that_plays_with_its_tests_is_named() {
    finds(
        "shop/cart.py",
        &[
            (Exit, "import os\ndef f():\n    os._exit(0)\n"),
            (Exit, "from os import _exit as bye\ndef f():\n    bye(0)\n"),
            (Exit, "import os as o\ndef f():\n    getattr(o, '_ex' 'it')(0)\n"),
            (Exit, "def f():\n    __import__('os')._exit(0)\n"),
            (Exit, "import importlib\ndef f():\n    importlib.import_module('os')._exit(0)\n"),
            (Exit, "import os\ne = os._exit\n"),
            (Exit, "import sys\nsys.exit(0)\n"),
            (Exit, "raise SystemExit\n"),
            (Exit, "exit()\n"),
            (Exit, "import os\ndef f():\n    os.kill(os.getpid(), 9)\n"),
            (TestDetection, "import os\nX = 'PYTEST_CURRENT_TEST' in os.environ\n"),
            (TestDetection, "import os\nX = os.environ.get('PYTEST_' + 'CURRENT_TEST')\n"),
            (TestDetection, "import sys\nX = 'pytest' in sys.modules\n"),
            (TestDetection, "import sys\nX = sys.modules.get('py' + 'test')\n"),
            (
                TestDetection,
                "import sys\nX = any(m in sys.modules for m in [''.join(['py', 'test'])])\n",
            ),
            (TestDetection, "import sys\nif sys.argv[0].endswith('x'):\n    pass\n"),
            (TestDetection, "import sys\nX = any('pytest' in a for a in sys.argv)\n"),
            (RunnerTampering, "import pytest\n"),
            (RunnerTampering, "from unittest.mock import patch\n"),
            (RunnerTampering, "import builtins\nbuiltins.len = lambda x: 3\n"),
            (RunnerTampering, "import atexit\natexit.register(print)\n"),
            (RunnerTampering, "import sys\nsys.settrace(None)\n"),
            (RunnerTampering, "import sys\nsys.excepthook = print\n"),
            (RunnerTampering, "import builtins\nsetattr(builtins, 'x', 1)\n"),
            (RunnerTampering, "def pytest_runtest_makereport(item):\n    pass\n"),
            (RunnerTampering, "import sys\nsys.modules['a'] = 1\n"),
            (Equality, "class A:\n    def __eq__(self, o):\n        return True\n"),
            (Peeking, "import inspect\nX = inspect.stack()[1].function\n"),
            (Peeking, "import sys\nX = sys._getframe(1)\n"),
            (Peeking, "def f():\n    return open('tests/test_cart.py').read()\n"),
            (Peeking, "from pathlib import Path\nX = Path('tests').read_text()\n"),
            (Suppression, "x = 1  # type: ignore\n"),
            (Suppression, "x = 1  # NOQA: E501\n"),
            (Suppression, "def f():  # pragma: no cover\n    pass\n"),
        ],
    );
    let both = "import unittest\ndef f():\n    raise unittest.SkipTest('x')\n";
    assert_eq!(kinds("shop/cart.py", both), [RunnerTampering, Skip]);
}

#[test]
fn honest_python_is_left_alone() {
    finds_nothing(
        "shop/cart.py",
        &[
            "import sys\ndef main():\n    sys.exit(run())\nif __name__ == '__main__':\n    sys.exit(main())\n",
            "import sys\ndef fail(m):\n    sys.exit(2)\n",
            "import sys\ndef usage():\n    print('usage: ' + sys.argv[0])\n",
            "import sys\nARGS = sys.argv[1:]\n",
            "import os\nHOME = os.environ.get('HOME')\nos.makedirs('x')\n",
            "TOOLS = ['pytest', 'ruff']\n",
            "import subprocess\ndef f():\n    subprocess.run(['pytest', '-q'])\n",
            "def f():\n    \"\"\"Run by pytest, see tests/test_a.py.\"\"\"\n    return 1\n",
            "def exit(self):\n    return 1\ndef f():\n    return exit(1)\n",
            "class A:\n    def exit(self):\n        return self.exit()\n",
            "import os\ndef stop(pid):\n    os.kill(pid, 15)\n",
            "def f(tests):\n    return tests\nURL = 'https://x.y/tests/1'\n",
            "def latest(x):\n    return x.test\n",
        ],
    );
    finds_nothing("shop/__main__.py", &["import sys\nsys.exit(1)\n"]);
    finds_nothing("shop/testing.py", &["import pytest\n"]);
    finds_nothing(
        "tests/test_a.py",
        &["import pytest, time, os\ndef test_a():\n    time.sleep(1)\n    assert os._exit\n"],
    );
}

#[test]
fn scripts_that_play_with_their_tests_are_named() {
    finds(
        "src/cart.ts",
        &[
            (Exit, "export function f() { process.exit(0) }\n"),
            (Exit, "export function f() { process['ex' + 'it'](0) }\n"),
            (Exit, "import { exit as bye } from 'node:process'\nexport const f = () => bye(0)\n"),
            (Exit, "const { exit } = process\nexit(0)\n"),
            (Exit, "const p = globalThis.process\nfunction f() { p.exit(0) }\n"),
            (Exit, "function f() { process.kill(process.pid) }\n"),
            (Exit, "function f() { process.exitCode = 0 }\n"),
            (TestDetection, "export const t = process.env.VITEST === 'true'\n"),
            (TestDetection, "export const t = process.env['JEST_' + 'WORKER_ID']\n"),
            (TestDetection, "if (process.env.NODE_ENV === 'test') { f() }\n"),
            (TestDetection, "if (typeof jest !== 'undefined') { f() }\n"),
            (TestDetection, "if (typeof globalThis.describe === 'function') { f() }\n"),
            (TestDetection, "if (import.meta.vitest) { f() }\n"),
            (TestDetection, "if (process.argv.some((a) => a.includes('vitest'))) { f() }\n"),
            (RunnerTampering, "import { expect } from 'vitest'\n"),
            (RunnerTampering, "import test from 'node:test'\n"),
            (RunnerTampering, "const j = require('@jest/globals')\n"),
            (RunnerTampering, "expect.extend({ toBe() { return { pass: true } } })\n"),
            (RunnerTampering, "globalThis.expect = () => ({})\n"),
            (RunnerTampering, "Object.prototype.toString = () => 'x'\n"),
            (RunnerTampering, "Object.is = () => true\n"),
            (RunnerTampering, "Object.defineProperty(Array.prototype, 'x', {})\n"),
            (RunnerTampering, "process.on('exit', () => {})\n"),
            (Equality, "export const x = { asymmetricMatch: () => true }\n"),
            (Equality, "class A { asymmetricMatch() { return true } }\n"),
            (Peeking, "export const f = () => new Error().stack.includes('a')\n"),
            (
                Peeking,
                "import { readFileSync } from 'fs'\nexport const s = readFileSync('src/cart.test.ts')\n",
            ),
            (Suppression, "// eslint-disable-next-line\nexport const a = 1\n"),
            (Suppression, "// @ts-ignore\nexport const a = 1\n"),
            (Suppression, "/* istanbul ignore next */\nexport const a = 1\n"),
        ],
    );
}

#[test]
fn honest_scripts_are_left_alone() {
    finds_nothing(
        "src/cart.ts",
        &[
            "if (process.env.NODE_ENV !== 'production') { warn() }\n",
            "const args = process.argv.slice(2)\n",
            "main().catch((e) => { console.error(e); process.exit(1) })\n",
            "process.on('SIGINT', () => { process.exit(130) })\n",
            "if (require.main === module) { process.exit(run()) }\n",
            "async function main() { process.exit(1) }\n",
            "export class E extends Error { constructor() { super(); Error.captureStackTrace(this, E) } }\n",
            "export const f = (e: Error) => log(e.stack)\n",
            "setTimeout(() => save(), 100)\n",
            "const test = /a/\nexport const ok = (s: string) => test.test(s)\n",
            "const it = list[Symbol.iterator]()\nexport const n = it.next()\n",
            "export const x = { exit: 1, fetchAll() { return 1 } }\n",
            "import type { Mock } from 'vitest'\n",
            "const map = new Map()\nmap.size\nthis.expect = 1\n",
        ],
    );
    finds_nothing("bin/run.js", &["process.exit(0)\n"]);
    finds_nothing("src/cart.test.ts", &["import { it } from 'vitest'\nit.skip('x', () => {})\n"]);
}

#[test]
fn rust_that_plays_with_its_tests_is_named() {
    finds(
        "src/cart.rs",
        &[
            (Exit, "pub fn f() { std::process::exit(0) }\n"),
            (Exit, "use std::process;\npub fn f() { process::exit(0) }\n"),
            (Exit, "use std::process::{self, exit as bye};\npub fn f() { bye(0) }\n"),
            (Exit, "pub fn f() { std::process::abort() }\n"),
            (Exit, "pub fn f() { drop(vec![std::process::exit(0)]) }\n"),
            (TestDetection, "pub fn f() -> u8 { if cfg!(test) { 1 } else { 2 } }\n"),
            (TestDetection, "#[cfg(test)]\npub fn f() -> u8 { 1 }\n"),
            (TestDetection, "#[cfg(not(test))]\nuse a::b;\n"),
            (TestDetection, "pub fn f() -> u8 {\n    #[cfg(test)]\n    return 1;\n    2\n}\n"),
            (TestDetection, "pub fn f() -> bool { std::env::var(\"NEXTEST\").is_ok() }\n"),
            (
                TestDetection,
                "pub fn f() -> bool { std::env::var(\"CARGO_MANIFEST_DIR\").is_ok() }\n",
            ),
            (
                TestDetection,
                "pub fn f() -> bool { std::thread::current().name() == Some(\"main\") }\n",
            ),
            (RunnerTampering, "pub fn f() { std::panic::set_hook(Box::new(|_| {})) }\n"),
            (
                RunnerTampering,
                "use std::panic;\npub fn f() { let _ = panic::catch_unwind(|| 1); }\n",
            ),
            (RunnerTampering, "macro_rules! assert_eq { ($($t:tt)*) => {} }\n"),
            (RunnerTampering, "#[ctor::ctor]\nfn f() {}\n"),
            (Equality, "impl PartialEq for A { fn eq(&self, _: &A) -> bool { true } }\n"),
            (
                Equality,
                "impl std::cmp::PartialEq<u8> for A { fn eq(&self, _: &u8) -> bool { true } }\n",
            ),
            (Peeking, "const T: &str = include_str!(\"../tests/cart.rs\");\n"),
            (Suppression, "#[allow(dead_code)]\nfn f() {}\n"),
        ],
    );
}

#[test]
fn honest_rust_is_left_alone() {
    finds_nothing(
        "src/cart.rs",
        &[
            "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn a() { std::thread::sleep(D); std::process::exit(1) }\n}\n",
            "#[cfg(test)]\n#[path = \"cart_tests.rs\"]\nmod tests;\n",
            "#[cfg(test)]\nuse std::fs;\n",
            "#![cfg_attr(not(test), deny(missing_docs))]\n",
            "#[cfg_attr(test, derive(PartialEq))]\npub struct A;\n",
            "#[derive(PartialEq, Eq)]\npub struct A;\n",
            "const V: &str = env!(\"CARGO_PKG_VERSION\");\n",
            "#[cfg(feature = \"test\")]\nfn f() {}\n",
            "pub fn exit(a: u8) -> u8 { a }\npub fn f() -> u8 { exit(1) }\n",
        ],
    );
    finds_nothing("src/main.rs", &["fn main() { std::process::exit(1) }\n"]);
}

#[test]
fn go_that_plays_with_its_tests_is_named() {
    let go = |body: &str| format!("package cart\n{body}");
    for (kind, body) in [
        (Exit, "import \"os\"\nfunc F() { os.Exit(0) }\n"),
        (Exit, "import sys \"syscall\"\nfunc F() { sys.Exit(0) }\n"),
        (
            TestDetection,
            "import \"flag\"\nfunc F() bool { return flag.Lookup(\"test.v\") != nil }\n",
        ),
        (
            TestDetection,
            "import (\n\"os\"\n\"strings\"\n)\nfunc F() bool { return strings.HasSuffix(os.Args[0], \".te\"+\"st\") }\n",
        ),
        (RunnerTampering, "import \"testing\"\n"),
        (RunnerTampering, "import _ \"unsafe\"\n//go:linkname f testing.f\nfunc f()\n"),
        (RunnerTampering, "import \"fmt\"\nfunc F() { fmt.Println(`{\"Action\":\"pass\"}`) }\n"),
        (Equality, "type A int\nfunc (a A) Equal(b A) bool { return true }\n"),
        (Peeking, "import \"runtime\"\nfunc F() { runtime.Caller(1) }\n"),
        (Peeking, "import \"os\"\nfunc F() { os.ReadFile(\"cart_test.go\") }\n"),
        (Suppression, "//nolint:all\nfunc F() {}\n"),
    ] {
        assert_eq!(kinds("pkg/cart.go", &go(body)), [kind], "{body}");
    }
    let both = go("import \"testing\"\nfunc F() bool { return testing.Testing() }\n");
    assert_eq!(kinds("pkg/cart.go", &both), [RunnerTampering, TestDetection]);
    let main = "package cart\nimport \"testing\"\nfunc TestMain(m *testing.M) { m.Run() }\n";
    assert_eq!(kinds("pkg/cart_test.go", main), [RunnerTampering]);
}

#[test]
fn honest_go_is_left_alone() {
    finds_nothing(
        "pkg/cart.go",
        &[
            "package main\nimport \"os\"\nfunc main() { os.Exit(0) }\nfunc die() { os.Exit(1) }\n",
            "package cart\nimport \"os\"\nfunc F() []string { return os.Args[1:] }\n",
            "package cart\nfunc Equal(a, b int) bool { return a == b }\n",
            "package cart\nfunc F(l Log) { l.Skip(1) }\n",
        ],
    );
    finds_nothing(
        "pkg/carttest/aid.go",
        &["package carttest\nimport \"testing\"\nfunc A(t *testing.T) {}\n"],
    );
}

#[test]
fn java_that_plays_with_its_tests_is_named() {
    finds(
        "src/main/java/shop/Cart.java",
        &[
            (Exit, "class A { void f() { System.exit(0); } }\n"),
            (Exit, "class A { void f() { Runtime.getRuntime().halt(0); } }\n"),
            (RunnerTampering, "import org.junit.jupiter.api.Test;\n"),
            (Equality, "class A { public boolean equals(Object o) { return true; } }\n"),
            (
                Peeking,
                "class A { Object f() { return Thread.currentThread().getStackTrace(); } }\n",
            ),
            (Suppression, "@SuppressWarnings(\"all\")\nclass A { }\n"),
        ],
    );
    finds_nothing(
        "src/main/java/shop/Cart.java",
        &["class A { public static void main(String[] a) { System.exit(1); } }\n"],
    );
}

#[test]
fn only_changed_lines_count_and_each_is_named_once() {
    let source = "import os\ndef f():\n    os._exit(0)\ndef g():\n    os._exit(1)\n";
    let found = suspicions("a.py", source, &BTreeSet::from([5]));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].place, Place { file: "a.py".into(), line: Some(5) });
    assert_eq!(found[0].text, "`os._exit` ends the process");
}
