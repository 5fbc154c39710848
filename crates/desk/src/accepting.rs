//! The kinds of findings that a person accepts, as words of the command line.

use crate::text::nearest::nearest;
use proctor_core::concern::Concern;

/// What `proctor approve --help` ends with.
pub const KINDS: &str = "Kinds of findings that wait for a person:
  special-cased      the work may fit nothing but what the tests ask
  weak-tests         new tests may check nothing, or too little
  changed-tests      an older test expects something else now
  changed-behaviour  a refactoring changes what the code does
  test-detection     code asks whether it runs under test
  configuration      a new test passes only with a changed configuration
  suspicious-code    code that meddles with test tools, reads tests, or is left unfinished
  hidden-characters  characters that show as nothing or as others, look-alike names
  unread             a changed file that could not be read, or that leads elsewhere
  large-file         a new or grown file of more than 1 MiB
  binary-file        a new or changed file that is no text
  odd-name           a file name that can't be read, or that shows as another
  executable         a file that can be executed now
  unjudged           an experiment that could not be made

The base's `[gates] accept` in proctor.toml accepts kinds beforehand (all but `unjudged`).";

/// A kind by its name.
pub fn kind(word: &str) -> Result<Concern, String> {
    word.parse().map_err(|_| {
        let known = Concern::ALL.map(Concern::name);
        match nearest(word, known) {
            Some(near) => format!("there is no such kind of finding; did you mean `{near}`?"),
            None => format!("there is no such kind of finding; known are {}", known.join(", ")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_every_kind_with_its_meaning() {
        for kind in Concern::ALL {
            let line = format!("  {:<18} {}\n", kind.name(), kind.means());
            assert!(KINDS.contains(&line), "{line}");
        }
    }

    #[test]
    fn a_word_that_is_no_kind_gets_the_nearest_as_hint() {
        assert_eq!(kind("unread"), Ok(Concern::Unread));
        assert!(kind("special-case").unwrap_err().contains("`special-cased`"));
        assert!(kind("zebra").unwrap_err().contains("known are special-cased,"));
    }
}
