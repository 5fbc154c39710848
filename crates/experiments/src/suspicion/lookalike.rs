//! Names that read like other names. Letters that scientific code uses honestly (`Δt`, `ρ0`) are none of them.
use proctor_lang::Language;
use proctor_lang::syntax;
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton as skeleton_of;

/// A name of the file with the line where it stands.
struct Name {
    line: u32,
    text: String,
}

/// The look-alike names of these lines: the line, and what is there.
pub(super) fn look_alikes(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<(u32, String)> {
    if source.is_ascii() {
        return Vec::new();
    }
    let names = names(file, source);
    let plain: BTreeSet<&str> =
        names.iter().map(|name| name.text.as_str()).filter(|text| text.is_ascii()).collect();
    let mut found: Vec<(u32, String)> = Vec::new();
    for name in names.iter().filter(|n| lines.contains(&n.line) && !n.text.is_ascii()) {
        let read = skeleton(&name.text);
        let like_another = read.is_ascii()
            && plain.contains(read.as_str())
            && (name.text.chars().count() > 2 || name.text.chars().any(is_strong));
        let text = if like_another || (is_mixed(&name.text) && read.is_ascii()) {
            format!("`{}` looks like `{read}`: {}", name.text, letters(&name.text))
        } else if is_mixed(&name.text) {
            format!("`{}` mixes letters of two scripts: {}", name.text, letters(&name.text))
        } else {
            continue;
        };
        if !found.contains(&(name.line, text.clone())) {
            found.push((name.line, text));
        }
    }
    found
}

fn names(file: &str, source: &str) -> Vec<Name> {
    let parsed = Language::of(file).and_then(|language| language.parse(source));
    let Some(parsed) = parsed else { return words(source) };
    let mut found = Vec::new();
    for node in syntax::nodes(parsed.root_node()) {
        let (start, text) = (syntax::line(node), syntax::text(node, source));
        // What the grammar can't place may be a name with letters that it does not know.
        if node.is_error() {
            found.extend(words(text).into_iter().map(|w| Name { line: w.line + start - 1, ..w }));
        } else if node.kind().ends_with("identifier") {
            found.push(Name { line: start, text: text.to_owned() });
        }
    }
    found
}

fn words(source: &str) -> Vec<Name> {
    let mut found = Vec::new();
    for (line, text) in (1_u32..).zip(source.lines()) {
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if word.chars().any(char::is_alphabetic) {
                found.push(Name { line, text: word.to_owned() });
            }
        }
    }
    found
}

/// Whether Latin letters stand beside letters that pass for Latin ones.
fn is_mixed(name: &str) -> bool {
    name.chars().any(|c| c.is_ascii_alphabetic()) && name.chars().any(is_strong)
}

/// A letter that nobody writes beside Latin ones for what it is.
fn is_strong(c: char) -> bool {
    let scientific = matches!(c, 'α'..='ξ' | 'π'..='ω');
    // Letters of living alphabets that are written with Latin ones, raised and lowered ones, signs such as `ℓ`.
    let honest =
        matches!(c, 'ı' | 'þ' | 'ƒ' | 'ª' | 'º' | 'ʰ'..='ʸ' | 'ᴬ'..='ᵪ' | '⁰'..='ₜ' | '℀'..='⅏');
    let cyrillic = matches!(c, '\u{0400}'..='\u{052F}');
    // Clicks are letters that pass for `|` and `!`.
    let click = matches!(c, '\u{01C0}'..='\u{01C3}');
    (like(c).is_some() && !scientific && !honest) || cyrillic || click
}

fn letters(name: &str) -> String {
    let mut found: Vec<String> = Vec::new();
    for c in name.chars().filter(|c| !c.is_ascii()) {
        let one = format!("{c} is U+{:04X}", u32::from(c));
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found.join(", ")
}

/// A name as it is read.
pub(super) fn skeleton(name: &str) -> String {
    name.chars().map(|c| like(c).unwrap_or(c)).collect()
}

/// The ASCII letter that a letter passes for: what it is a form of, else what it is confused with.
fn like(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    // What Unicode's own list leaves out, or writes with another letter that looks alike.
    let rest = "ьІΙκχωԼʀ".chars().zip("bIIkxwLr".chars()).find(|(from, _)| *from == c);
    rest.map(|(_, to)| to)
        .or_else(|| letter([c].into_iter().nfkc()))
        .or_else(|| letter(skeleton_of(c.encode_utf8(&mut [0; 4]))))
}

/// The one ASCII letter, where it is that and nothing else.
fn letter(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next().filter(char::is_ascii_alphabetic)?;
    chars.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &str, source: &str) -> Vec<(u32, String)> {
        let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
        look_alikes(file, source, &lines)
    }

    #[test]
    fn a_name_that_passes_for_another_is_named() {
        for (file, source) in [
            ("a.py", "def tоtal(x):\n    return x\n"),
            ("a.py", "def сор():\n    return cop()\n"),
            ("a.go", "package a\nvar lіmit = 1\n"),
            ("a.rs", "fn aссept() {}\n"),
            ("a.js", "const 𝐞xit = 1\n"),
            ("a.ts", "const ＯＫ = OK\n"),
            ("notes.yml", "pаssword: x\n"),
            // Each is in Unicode's list of what is confused, or beside it.
            ("a.py", "𝐦ain = 1\n"),
            ("a.py", "Ꮪize = 1\n"),
            ("a.py", "ѕіԛԝ = siqw\n"),
            ("a.go", "package a\nvar nаme = 1\n"),
            ("a.js", "const ꓑage = 1\n"),
        ] {
            assert_eq!(found(file, source).len(), 1, "{source}");
        }
        let text = &found("a.py", "tоtal = 1\n")[0].1;
        assert_eq!(text, "`tоtal` looks like `total`: о is U+043E");
    }

    #[test]
    fn words_of_one_script_and_the_letters_of_science_are_fine() {
        for (file, source) in [
            ("a.py", "сумма = 1\nитог = сумма\n"),
            ("a.py", "Δt = 1\nρ0 = 2\np0 = 3\nσ_max = 2\nμs = 3\nα = 1\na = 2\n"),
            ("a.go", "package a\nvar größe = 1\nvar naïve = 2\n"),
            ("a.js", "const 日本 = 'tоtal'\n"),
            ("a.py", "þráður = 1\nx² = 2\nxₙ = 3\nAᵀ = 4\nℓmax = 5\nøl = 6\nv日本 = 7\n"),
            ("README.md", "Der Größte, Москва, λ-calculus, 5 µm\n"),
        ] {
            assert_eq!(found(file, source), [], "{source}");
        }
    }
}
