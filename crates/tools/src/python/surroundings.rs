//! Whether a failure is the surroundings' fault: no network, a full disk, a package that is not installed. Told by the
//! types and error numbers of an exception and of those that it arose from, never by their texts.

use super::lines::{Link, MissingName, Raised};
use proctor_lang::zone::{Zone, zone};

/// Error numbers that no code under test can help, in words.
const NUMBERS: [(&str, &str); 10] = [
    ("ENOSPC", "the disk is full"),
    ("EDQUOT", "the disk quota is used up"),
    ("EMFILE", "no more files can be opened"),
    ("ENFILE", "no more files can be opened"),
    ("ENOMEM", "memory ran out"),
    ("EROFS", "the file system is read-only"),
    ("ENETUNREACH", "there is no network"),
    ("ENETDOWN", "there is no network"),
    ("EHOSTUNREACH", "another machine could not be reached"),
    ("EHOSTDOWN", "another machine could not be reached"),
];

/// What is wrong with the surroundings, in words. `third_party` says whether a module that is not there is someone
/// else's; in the test's own code a missing module has a reason of its own.
pub(crate) fn fault(
    raised: &Raised,
    place: Arose,
    third_party: &dyn Fn(&MissingName) -> bool,
) -> Option<String> {
    raised.chain.iter().enumerate().find_map(|(depth, link)| {
        let own = depth == 0 && place == Arose::InTheTest;
        let module = link.missing.as_ref().filter(|m| !own && third_party(m));
        let what = match module {
            Some(missing) => format!("{} is not installed", missing.name),
            None => what(link, raised.went_out)?.to_owned(),
        };
        Some(format!("{what} ({}: {})", link.kind, link.message))
    })
}

/// Whose code an exception arose in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arose {
    InTheTest,
    Beyond,
}

fn what(link: &Link, went_out: bool) -> Option<&'static str> {
    // A test that plays a broken network or a full disk asks what the code does then.
    let by_test = link.file.as_deref().is_some_and(|file| zone(file) != Zone::Production);
    if link.mocked || by_test {
        return None;
    }
    let is = |name: &str| link.bases.iter().any(|base| base == name);
    let number = link.errno.as_deref().and_then(|n| NUMBERS.iter().find(|(name, _)| *name == n));
    if let Some((_, words)) = number {
        return Some(words);
    }
    if is("gaierror") || is("herror") {
        return Some("a host name could not be resolved");
    }
    if is("MemoryError") {
        return Some("memory ran out");
    }
    let connection = is("ConnectionError") || is("TimeoutError") || is("SSLError");
    (connection && went_out).then_some("another machine could not be reached")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(bases: &[&str], errno: Option<&str>) -> Link {
        Link {
            kind: bases[0].to_owned(),
            bases: bases.iter().map(|b| (*b).to_owned()).collect(),
            errno: errno.map(str::to_owned),
            message: "m".to_owned(),
            ..Link::default()
        }
    }

    fn told(chain: Vec<Link>, went_out: bool) -> Option<String> {
        let raised = Raised { went_out, chain, ..Raised::default() };
        fault(&raised, Arose::Beyond, &|missing| missing.name == "numpy")
    }

    #[test]
    fn a_cause_deep_in_the_chain_counts() {
        let chain =
            vec![link(&["ShopError", "Exception"], None), link(&["gaierror", "OSError"], None)];
        assert_eq!(
            told(chain, false).as_deref(),
            Some("a host name could not be resolved (gaierror: m)")
        );
        assert!(told(vec![link(&["OSError"], Some("ENOSPC"))], false).is_some());
    }

    #[test]
    fn a_file_that_is_not_there_or_a_local_connection_is_no_fault_of_the_surroundings() {
        for chain in [
            vec![link(&["FileNotFoundError", "OSError"], Some("ENOENT"))],
            vec![link(&["ConnectionRefusedError", "ConnectionError"], Some("ECONNREFUSED"))],
            vec![Link { mocked: true, ..link(&["OSError"], Some("ENOSPC")) }],
            vec![Link {
                file: Some("tests/test_a.py".to_owned()),
                ..link(&["OSError"], Some("ENOSPC"))
            }],
        ] {
            assert_eq!(told(chain, false), None);
        }
        let refused = link(&["ConnectionRefusedError", "ConnectionError"], Some("ECONNREFUSED"));
        assert!(told(vec![refused], true).is_some());
    }

    #[test]
    fn a_module_of_someone_else_counts_and_one_of_the_project_does_not() {
        let missing = |name: &str| Link {
            missing: Some(MissingName { name: name.to_owned(), ..MissingName::default() }),
            ..link(&["ModuleNotFoundError", "ImportError"], None)
        };
        assert!(told(vec![missing("numpy")], false).is_some());
        assert_eq!(told(vec![missing("shop")], false), None);
    }
}
