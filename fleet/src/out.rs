//! What is printed: data on stdout, talk on stderr. A reader that went away is not an error.

use std::io::Write;

pub fn data(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

pub fn talk(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
