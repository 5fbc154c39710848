//! Why Python tests fail.

use crate::stage::{end, pytest, reason};
use proctor_core::report::{CaseEnd, Owner, Reason, TestReport};

const SHOP: &str = "
import os
class Cart:
    def total(self, tax=0): return 1 / 0
    def name(self): return self.nope
    def __init__(self, size=1): self.size = size
def add(a, b): return a + b
def late(): import not_there_at_all
def reads(): open('/no/such/file/here')
def denied(): raise PermissionError(13, 'no')
def checks(): assert 1 == 2, 'inside'
def find(name): return None
";

const TESTS: &str = "
import pytest, unittest, socket
import shop
from shop import Cart, add
class Local: pass
def helper(a): return a
def test_assert(): assert add(1, 2) == 4, 'sum'
def test_fail(): pytest.fail('told')
def test_not_raised():
    with pytest.raises(ValueError): add(1, 2)
def test_production(): Cart().total()
def test_production_attribute(): Cart().name()
def test_production_import(): shop.late()
def test_production_file(): shop.reads()
def test_denied(): shop.denied()
def test_wrong_exception():
    with pytest.raises(ValueError): Cart().total()
def test_import():
    from shop import basket
def test_module():
    import shop.basket
def test_new_module():
    import warehouse.stock
def test_third_party():
    import numpy_is_not_here_but_declared
def test_well_known():
    import tensorflow
def test_standard():
    from json import no_such_thing
def test_module_attribute(): shop.basket(1)
def test_instance_attribute(): Cart().weight
def test_class_attribute(): Cart.cheapest()
def test_keyword(): Cart().total(discount=1)
def test_constructor(): Cart(colour=1)
def test_positional(): add(1, 2, 3)
def test_local_attribute(): Local().x
def test_local_keyword(): helper(b=1)
def test_builtin_attribute(): 'a'.frob()
def test_builtin_keyword(): sorted([], frob=1)
def test_none(): None.frob
def test_asserted_none():
    found = shop.find('a')
    assert (1 == 1 and
            found.name == 'a')
def test_asserted_name(): assert basket(1) == 2
def test_name(): basket(1)
def test_value(): int('x')
def test_file(): open('nothing.txt')
def test_connection(): raise ConnectionRefusedError('no')
def test_gaierror(): raise socket.gaierror('no')
def test_patch(monkeypatch): monkeypatch.setattr(shop, 'basket', 1)
def test_exit(): raise SystemExit(0)
async def test_async(): assert True
class Suite(unittest.TestCase):
    def test_u(self): self.assertEqual(add(1, 2), 4)
    def test_f(self): self.fail('no')
    def test_n(self): self.assertEqual(shop.find('a').name, 'a')
";

fn report() -> Option<TestReport> {
    let files = [
        ("shop.py", SHOP),
        ("tests/test_a.py", TESTS),
        ("requirements.txt", "numpy-is-not-here-but-declared==1\n"),
    ];
    Some(pytest(&files)?.finished())
}

fn of<'a>(report: &'a TestReport, name: &str) -> &'a Reason {
    reason(report, &format!("tests/test_a.py::{name}"))
}

#[test]
fn each_exception_has_its_reason() {
    let Some(report) = report() else { return };
    for name in [
        "test_assert",
        "test_fail",
        "test_not_raised",
        // What came back breaks the assertion's own expression.
        "test_asserted_none",
        "Suite::test_u",
        "Suite::test_f",
        "Suite::test_n",
    ] {
        assert!(
            matches!(of(&report, name), Reason::Assertion { place: Some(p), .. } if p.file == "tests/test_a.py"),
            "{name}: {:?}",
            of(&report, name)
        );
    }
    for (name, line) in [
        ("test_production", 4),
        ("test_production_attribute", 5),
        ("test_production_file", 9),
        ("test_wrong_exception", 4),
    ] {
        assert!(
            matches!(of(&report, name), Reason::Panic { place: Some(p), .. } if p.file == "shop.py" && p.line == Some(line)),
            "{name}: {:?}",
            of(&report, name)
        );
    }
    for name in [
        "test_production_import",
        "test_denied",
        "test_value",
        "test_file",
        "test_connection",
        "test_gaierror",
        "test_exit",
        "test_async",
    ] {
        assert!(
            matches!(of(&report, name), Reason::Other { .. }),
            "{name}: {:?}",
            of(&report, name)
        );
    }
    let Reason::Assertion { message, .. } = of(&report, "test_assert") else { unreachable!() };
    assert!(message.contains("assert 3 == 4") && message.contains("sum"), "{message}");
}

#[test]
fn each_missing_name_has_its_owner() {
    let Some(report) = report() else { return };
    for (test, wanted, wanted_owner) in [
        ("test_import", "shop.basket", Owner::Project),
        ("test_module", "shop.basket", Owner::Project),
        ("test_new_module", "warehouse", Owner::Project),
        ("test_third_party", "numpy_is_not_here_but_declared", Owner::Elsewhere),
        ("test_well_known", "tensorflow", Owner::Elsewhere),
        ("test_standard", "json.no_such_thing", Owner::Elsewhere),
        ("test_module_attribute", "shop.basket", Owner::Project),
        ("test_instance_attribute", "Cart.weight", Owner::Project),
        ("test_class_attribute", "Cart.cheapest", Owner::Project),
        ("test_keyword", "Cart.total.discount", Owner::Project),
        ("test_constructor", "Cart.__init__.colour", Owner::Project),
        ("test_positional", "add", Owner::Project),
        ("test_local_attribute", "Local.x", Owner::TestItself),
        ("test_local_keyword", "helper.b", Owner::TestItself),
        ("test_builtin_attribute", "str.frob", Owner::Elsewhere),
        ("test_name", "basket", Owner::TestItself),
        ("test_asserted_name", "basket", Owner::TestItself),
        ("test_patch", "shop.basket", Owner::Project),
    ] {
        let Reason::Missing { name, owner, .. } = of(&report, test) else {
            panic!("{test}: {:?}", of(&report, test))
        };
        assert_eq!((name.as_str(), *owner), (wanted, wanted_owner), "{test}");
    }
    let none = of(&report, "test_none");
    assert!(matches!(none, Reason::Other { .. }), "nothing came back: {none:?}");
    let builtin = of(&report, "test_builtin_keyword");
    assert!(!matches!(builtin, Reason::Missing { owner: Owner::Project, .. }), "{builtin:?}");
}

const REACHES_OUT: &str = "
import errno, socket, urllib.request
def dns(): socket.getaddrinfo('nohost.invalid', 80)
def wrapped():
    try: dns()
    except OSError as why: raise RuntimeError('no price') from why
def hidden():
    try: dns()
    except OSError: raise RuntimeError('no price') from None
def fetched(): urllib.request.urlopen('http://nohost.invalid/')
def refused():
    # What a closed port of another machine answers, without asking one.
    def refuse(where): raise ConnectionRefusedError(errno.ECONNREFUSED, 'no')
    import sys
    sys.audit('socket.connect', None, ('192.0.2.1', 80))
    refuse(('192.0.2.1', 80))
def full():
    with open('/dev/full', 'w') as out: out.write('x')
def memory(): return [0] * 10**18
def late():
    try: import tensorflow
    except ImportError as why: raise RuntimeError('no model') from why
def many():
    import resource
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (20, hard))
    try: return [open('/dev/null') for _ in range(50)]
    finally: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
def local():
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    socket.create_connection(('127.0.0.1', port))
def absent(): open('/no/such/file/here')
";

const PLAYS: &str = "
import errno, pytest, shop, socket
from unittest import mock
def test_dns(): shop.dns()
def test_wrapped(): shop.wrapped()
def test_hidden(): shop.hidden()
def test_fetched(): shop.fetched()
def test_refused(): shop.refused()
def test_full(): shop.full()
def test_memory(): shop.memory()
def test_late(): shop.late()
def test_many(): shop.many()
def test_local(): shop.local()
def test_absent(): shop.absent()
def test_mocked():
    with mock.patch('shop.dns', side_effect=socket.gaierror('no')): shop.wrapped()
def test_played(monkeypatch):
    def full(): raise OSError(errno.ENOSPC, 'full')
    monkeypatch.setattr(shop, 'dns', full)
    shop.wrapped()
def test_asserted():
    with pytest.raises(RuntimeError, match='other'): shop.wrapped()
";

#[test]
fn the_surroundings_are_not_the_codes_fault() {
    let files = [("shop.py", REACHES_OUT), ("tests/test_a.py", PLAYS)];
    let Some(mut stage) = pytest(&files) else { return };
    let report = stage.finished();
    for (name, said) in [
        ("test_dns", "host name"),
        ("test_wrapped", "host name"),
        ("test_hidden", "host name"),
        ("test_fetched", "host name"),
        ("test_refused", "another machine"),
        ("test_full", "disk is full"),
        ("test_memory", "memory"),
        ("test_late", "tensorflow is not installed"),
        ("test_many", "files"),
    ] {
        let found = end(&report, &format!("tests/test_a.py::{name}"));
        assert!(
            matches!(found, CaseEnd::Errored { message } if message.starts_with("the surroundings are at fault") && message.contains(said)),
            "{name}: {found:?}"
        );
    }
    // A service of this machine that does not answer is no crash either, and no proof of anything.
    assert!(matches!(of(&report, "test_local"), Reason::Other { .. }));
    for name in ["test_absent", "test_mocked", "test_played"] {
        assert!(matches!(of(&report, name), Reason::Panic { .. }), "{name}");
    }
    assert!(matches!(of(&report, "test_asserted"), Reason::Assertion { .. }));
}
