//! How the languages that are mutated write the few things that mutants are made of. Knows no operator.

use proctor_lang::{Language, is_script_declaration, is_stub};

/// The language of a file that can be mutated. Declarations without bodies (`.d.ts`, `.pyi`) hold nothing to mutate.
pub(super) fn language_of(file: &str) -> Option<Language> {
    let bodies = !is_stub(file) && !is_script_declaration(file);
    Language::of(file).filter(|language| bodies && *language != Language::Java)
}

/// The other truth of a condition. `condition` may be in brackets already.
pub(super) fn negated(language: Language, condition: &str) -> String {
    let not = if language == Language::Python { "not " } else { "!" };
    format!("{not}({condition})")
}

/// A condition that never holds. Go refuses names that are not used, so the old one stays there.
pub(super) fn never(language: Language, condition: &str) -> String {
    match language {
        Language::Python => "False".to_owned(),
        Language::Go => format!("false && ({condition})"),
        Language::Rust | Language::Java | Language::Script(_) => "false".to_owned(),
    }
}

/// What stands in the place of a statement that is left out.
pub(super) fn without(language: Language, statement: &str) -> String {
    match language {
        Language::Python => "pass".to_owned(),
        Language::Go => format!("if false {{ {statement} }}"),
        Language::Rust | Language::Java | Language::Script(_) => ";".to_owned(),
    }
}
