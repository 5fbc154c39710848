//! What Python sources say: tests and their shapes, modules.

pub mod items;
pub mod modules;
mod shape;

use crate::words::Words;

/// Whether the interpreter reads a source in another way than as the text that it seems to be: by an encoding, named in one
/// of its first two lines, in which plain letters stand for others.
pub fn is_encoded(text: &str) -> bool {
    let named = |line: &str| {
        let line = line.trim_start().strip_prefix('#')?;
        let (_, after) = line.split_once("coding")?;
        let name = after.strip_prefix([':', '='])?.trim_start();
        let end = name.find(|c: char| !c.is_alphanumeric() && !"-_.".contains(c));
        Some(name.get(..end.unwrap_or(name.len()))?.to_lowercase().replace('_', "-"))
    };
    let plain = |name: &str| {
        let families =
            Words("utf-8 utf8 ascii us-ascii latin iso-8859- iso8859- cp125 windows-125");
        name.is_empty() || families.any(|family| name.starts_with(family))
    };
    text.lines().take(2).filter_map(named).any(|name| !plain(&name))
}

#[cfg(test)]
mod tests {
    use super::is_encoded;

    #[test]
    fn an_encoding_in_which_letters_stand_for_others_is_seen() {
        assert!(is_encoded("# -*- coding: utf-7 -*-\nx = 1\n"));
        assert!(is_encoded("#!/usr/bin/python\n# vim: set fileencoding=utf_7 :\n"));
        for plain in [
            "# coding: utf-8\n",
            "# -*- coding: Latin-1 -*-\n",
            "x = 1  # coding: no\n",
            "# encoding is fun\n",
        ] {
            assert!(!is_encoded(plain), "{plain}");
        }
        assert!(!is_encoded("\n\n# coding: utf-7\n"), "too late");
    }
}
