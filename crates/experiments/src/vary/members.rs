//! Members of enumerations and named constants of one sort, as a test gives them, and the others of the same enumeration.

use super::tables::words;
use super::{Making, WAYS};
use crate::observe::put;
use proctor_core::observation::Sort;
use proctor_lang::Language;
use proctor_lang::syntax::{children, field, text, walk};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tree_sitter::Node;

/// The members of enumerations by their names. Constants of Go belong to their type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enumerations(BTreeMap<String, Vec<String>>);

impl Enumerations {
    /// What a source defines, where these words name some of it. What another one says of the same name is added.
    pub fn read(&mut self, file: &str, source: &str, named: &BTreeSet<&str>) {
        let language = Language::of(file).filter(|language| may_define(*language, source, named));
        let Some(tree) = language.and_then(|language| language.parse(source)) else { return };
        walk(tree.root_node(), &|n| !is_body(n), &mut |n| match n.kind() {
            "class_definition" if field(n, "superclasses", source).contains("Enum") => {
                self.add(field(n, "name", source), python(n, source));
            }
            "enum_declaration" | "enum_item" => {
                self.add(field(n, "name", source), listed(n, source));
            }
            "variable_declarator" if field(n, "value", source).starts_with("Object.freeze({") => {
                self.add(field(n, "name", source), frozen(n, source));
            }
            "const_declaration" => self.constants(n, source),
            _ => {}
        });
    }

    fn add(&mut self, name: &str, members: Vec<String>) {
        if members.len() > 1 && !name.is_empty() {
            self.0.entry(name.to_owned()).or_default().extend(members);
        }
    }

    /// `const ( Home Region = iota … )`: what has no type of its own has the one before it.
    fn constants(&mut self, node: Node<'_>, source: &str) {
        let mut of = String::new();
        for spec in children(node).into_iter().filter(|n| n.kind() == "const_spec") {
            let (own, value) = (field(spec, "type", source), field(spec, "value", source));
            if !own.is_empty() || !value.is_empty() {
                own.clone_into(&mut of);
            }
            let name = field(spec, "name", source);
            if !of.is_empty() && name != "_" {
                self.0.entry(of.clone()).or_default().push(name.to_owned());
            }
        }
    }

    /// Only those members that the other side has too, where it knows the enumeration.
    pub fn keep_common(&mut self, other: &Self) {
        for (name, members) in &mut self.0 {
            if let Some(there) = other.0.get(name) {
                members.retain(|member| there.contains(member));
            }
        }
    }

    /// The enumeration of a member; the name may be left out where the language does.
    fn of(&self, name: Option<&str>, member: &str) -> Option<(&String, &Vec<String>)> {
        let holds = |members: &Vec<String>| members.iter().any(|m| m == member);
        match name {
            Some(name) => self.0.get_key_value(name).filter(|(_, members)| holds(members)),
            None => self.0.iter().find(|(_, members)| holds(members)),
        }
    }
}

/// Whether a source has a line that may define one of these: most have none, and reading them all would cost.
fn may_define(language: Language, source: &str, named: &BTreeSet<&str>) -> bool {
    let marks: &[&str] = match language {
        Language::Python => &["Enum"],
        Language::Script(_) => &["enum ", "Object.freeze("],
        Language::Go => &["\t"],
        Language::Rust | Language::Java => &["enum "],
    };
    let says = |line: &str| marks.iter().any(|mark| line.contains(mark));
    let has_one = |line: &str| words(line).iter().any(|word| named.contains(word));
    let constants = language != Language::Go || source.contains("const (");
    constants && source.lines().any(|line| says(line) && has_one(line))
}

fn is_body(node: Node<'_>) -> bool {
    matches!(node.kind(), "function_definition" | "function_item" | "function_declaration")
}

/// `HOME = "home"` in the body of a class.
fn python(class: Node<'_>, source: &str) -> Vec<String> {
    let body = class.child_by_field_name("body").map(children).unwrap_or_default();
    let assigned = body.into_iter().filter_map(|n| n.named_child(0));
    let assigned = assigned.filter(|n| n.kind() == "assignment");
    let names = assigned.map(|n| field(n, "left", source));
    names.filter(|name| is_name(name) && !name.starts_with('_')).map(str::to_owned).collect()
}

/// The members of an enumeration that carry nothing.
fn listed(node: Node<'_>, source: &str) -> Vec<String> {
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    let name = |n: Node<'_>| match n.kind() {
        "enum_variant" | "enum_constant" => {
            let plain = n.child_by_field_name("body").is_none();
            plain.then(|| field(n, "name", source).to_owned())
        }
        "enum_assignment" => Some(field(n, "name", source).to_owned()),
        "property_identifier" => Some(text(n, source).to_owned()),
        _ => None,
    };
    body.into_iter().filter_map(name).filter(|name| is_name(name)).collect()
}

/// `Object.freeze({ HOME: 1 })`.
fn frozen(node: Node<'_>, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    walk(node, &|_| true, &mut |n| {
        if n.kind() == "pair" {
            found.push(field(n, "key", source).to_owned());
        }
    });
    found.retain(|name| is_name(name));
    found
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.starts_with(char::is_alphabetic) && text.chars().all(is_part)
}

/// A member that a test names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Where its own name stands.
    pub(super) range: Range<usize>,
    /// The line that it stands in, from nought.
    line: usize,
    enumeration: String,
    name: String,
    others: Vec<String>,
}

impl Member {
    /// `Region.EU`, however the language has it.
    fn shown(&self, name: &str) -> String {
        format!("{}.{name}", self.enumeration)
    }
}

impl Making<'_> {
    /// Each member through the whole test, then all of them at once.
    pub(super) fn members(&mut self) {
        let all = &self.found.members;
        let own: BTreeMap<String, &Member> = all.iter().map(|m| (m.shown(&m.name), m)).collect();
        for (was, member) in &own {
            for (way, other) in member.others.iter().take(WAYS).enumerate() {
                let next = |m: &Member| (m.shown(&m.name) == *was).then(|| other.clone());
                self.push_members(way, all, &next);
            }
        }
        // What the test names already may be another of its cases.
        let is_free = |m: &Member, name: &str| !own.contains_key(&m.shown(name));
        for way in (0..2).filter(|_| own.len() > 1) {
            let free = |m: &Member| m.others.iter().filter(|o| is_free(m, o)).nth(way).cloned();
            self.push_members(way, all, &free);
        }
    }

    fn push_members(
        &mut self,
        way: usize,
        all: &[Member],
        next: &dyn Fn(&Member) -> Option<String>,
    ) {
        let rows = |name: &dyn Fn(&Member) -> String| {
            let mut rows: BTreeMap<usize, Vec<String>> = BTreeMap::new();
            for member in all {
                rows.entry(member.line).or_default().push(member.shown(&name(member)));
            }
            rows
        };
        // A row that the test has already is another case, with an answer of its own.
        let before = rows(&|m| m.name.clone());
        let after = rows(&|m| next(m).unwrap_or_else(|| m.name.clone()));
        let has = |row: &Vec<String>| before.values().any(|known| known == row);
        if after.iter().any(|(line, row)| before.get(line) != Some(row) && has(row)) {
            return;
        }
        let edit = |m: &Member| Some(put(m.range.start, m.range.end, next(m)?));
        let edits = all.iter().filter_map(edit).collect();
        let pairs: BTreeMap<String, String> =
            all.iter().filter_map(|m| Some((m.shown(&m.name), m.shown(&next(m)?)))).collect();
        let (was, now): (Vec<&str>, Vec<&str>) =
            pairs.iter().map(|(was, now)| (was.as_str(), now.as_str())).unzip();
        let count = self.rounds.len();
        self.push(way, (Sort::Member, &was.join(", "), &now.join(", ")), edits);
        if let Some(made) = self.rounds.get_mut(count).filter(|_| pairs.len() > 1) {
            made.variation.pairs = pairs.into_iter().collect();
        }
    }
}

/// The members of these enumerations that stand in this span.
pub(super) fn of(
    language: Language,
    (root, source): (Node<'_>, &str),
    span: &Range<usize>,
    known: &Enumerations,
) -> Vec<Member> {
    let mut found = Vec::new();
    let meets = |n: Node<'_>| n.start_byte() < span.end && n.end_byte() > span.start;
    walk(root, &meets, &mut |n| {
        let part = |of: &str, own: &str| {
            let name = n.child_by_field_name(own)?;
            let of = n.child_by_field_name(of).map_or("", |n| text(n, source));
            Some((of.rsplit(['.', ':']).next().unwrap_or(of), name))
        };
        let named = match (n.kind(), language) {
            ("attribute", Language::Python) => part("object", "attribute"),
            ("member_expression", _) => part("object", "property"),
            ("scoped_identifier", _) => part("path", "name"),
            ("field_access", Language::Java) => part("object", "field"),
            ("selector_expression", Language::Go) => {
                n.child_by_field_name("field").map(|f| ("", f))
            }
            ("identifier", Language::Go) => Some(("", n)),
            _ => None,
        };
        let Some((of, own)) = named else { return };
        let name = text(own, source);
        let of = (language != Language::Go).then_some(of);
        let inside = own.start_byte() >= span.start && own.end_byte() <= span.end;
        if let Some((enumeration, members)) = known.of(of, name).filter(|_| inside) {
            let others = members.iter().filter(|m| *m != name).cloned().collect();
            let (range, line) = (own.byte_range(), own.start_position().row);
            let (name, enumeration) = (name.to_owned(), enumeration.clone());
            found.push(Member { range, line, enumeration, name, others });
        }
    });
    found.sort_by_key(|member| member.range.start);
    found.dedup_by_key(|member| member.range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(file: &str, source: &str, test: &str) -> Vec<(String, Vec<String>)> {
        let mut known = Enumerations::default();
        known.read(file, source, &words(test));
        let language = Language::of(file).unwrap();
        let tree = language.parse(test).unwrap();
        let all = of(language, (tree.root_node(), test), &(0..test.len()), &known);
        all.into_iter().map(|member| (member.shown(&member.name), member.others)).collect()
    }

    #[test]
    fn the_other_members_of_an_enumeration_are_known_in_each_language() {
        let python = "import enum\n\n\nclass Size(enum.Enum):\n    SMALL = 1\n    LARGE = 2\n\n    def f(self):\n        a = 3\n";
        let found = named("a.py", python, "assert price(money.Size.LARGE, Size.NONE) == x.LARGE\n");
        assert_eq!(found, [("Size.LARGE".to_owned(), vec!["SMALL".to_owned()])]);
        let ts = "export enum Size { Small, Large = 'l' }\n";
        let found = named("a.ts", ts, "expect(price(Size.Small)).toBe(4)\n");
        assert_eq!(found, [("Size.Small".to_owned(), vec!["Large".to_owned()])]);
        let js = "const Size = Object.freeze({ SMALL: 's', LARGE: 'l' });\n";
        let found = named("a.js", js, "assert.equal(price(Size.SMALL), 4)\n");
        assert_eq!(found, [("Size.SMALL".to_owned(), vec!["LARGE".to_owned()])]);
        let go = "package a\n\ntype Size int\n\nconst (\n\tSmall Size = iota\n\tLarge\n)\n\nconst Other = 3\n";
        let test = "package a\n\nfunc TestA(t *testing.T) {\n\tif Price(Large, shop.Small) != Other {\n\t}\n}\n";
        let found = named("a.go", go, test);
        let wanted = [("Size.Large", "Small"), ("Size.Small", "Large")];
        let wanted: Vec<(String, Vec<String>)> =
            wanted.iter().map(|(a, b)| ((*a).to_owned(), vec![(*b).to_owned()])).collect();
        assert_eq!(found, wanted);
        let rust = "pub enum Size {\n    Small,\n    Large,\n    Of(u8),\n}\n";
        let found = named("a.rs", rust, "fn a() { price(Size::Large); }\n");
        assert_eq!(found, [("Size.Large".to_owned(), vec!["Small".to_owned()])]);
    }
}
