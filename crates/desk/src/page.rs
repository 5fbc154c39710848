//! Pages for a browser, out of templates: whole in themselves, with their own style, no script and nothing loaded. The
//! template engine escapes every text, and nothing in a text turns the direction of writing.

use crate::text::harmless::{fit_for_xml, harmless, one_line};
use crate::verdict::digest;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, HtmlEscape, UndefinedBehavior, escape_formatter};
use serde::Serialize;

const TEMPLATES: [(&str, &str); 6] = [
    ("frame.html", include_str!("pages/frame.html")),
    ("parts.html", include_str!("pages/parts.html")),
    ("proof.html", include_str!("pages/proof.html")),
    ("verdict.html", include_str!("pages/verdict.html")),
    ("hunt.html", include_str!("pages/hunt.html")),
    ("evidence.html", include_str!("pages/evidence.html")),
];

/// The page of a template, or the words why there is none.
pub fn render(name: &str, words: &impl Serialize) -> String {
    let page = engine().and_then(|engine| engine.get_template(name)?.render(Serde(words)));
    page.unwrap_or_else(|error| harmless_fault(&format!("{error:#}")))
}

/// What stands in the place of a page that can't be made.
pub fn harmless_fault(why: &str) -> String {
    format!(
        "<!doctype html>\n<title>no page</title>\n<p>The page can't be made: {}</p>\n",
        HtmlEscape(&harmless(why))
    )
}

/// The templates of all pages; a face may add its own.
pub fn engine() -> Result<Environment<'static>, Error> {
    let mut engine = Environment::new();
    engine.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()?,
    );
    engine.set_undefined_behavior(UndefinedBehavior::Strict);
    engine.set_auto_escape_callback(|_| AutoEscape::Html);
    engine.set_formatter(|out, state, value| match value.as_str() {
        Some(text) if !value.is_safe() => {
            escape_formatter(out, state, &Value::from(fit_for_xml(text)))
        }
        _ => escape_formatter(out, state, value),
    });
    engine.add_filter("line", |text: &str| one_line(text));
    engine.add_filter("took", digest::took);
    engine.add_global("style", Value::from_safe_string(include_str!("pages/page.css").to_owned()));
    engine.add_global("version", env!("CARGO_PKG_VERSION"));
    for (name, text) in TEMPLATES {
        engine.add_template(name, text)?;
    }
    Ok(engine)
}
