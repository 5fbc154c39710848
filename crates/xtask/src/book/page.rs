//! A page of the book: its headings with their names in links, its links, and its HTML. Knows no other page.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::collections::{BTreeMap, BTreeSet};

/// A heading and what stands under it.
pub struct Part {
    pub id: String,
    pub title: String,
    pub text: String,
}

pub struct Page {
    /// From the root of the repository.
    pub path: String,
    pub title: String,
    pub parts: Vec<Part>,
    pub links: Vec<String>,
    text: String,
}

/// Where a link leads.
pub enum Target {
    /// Another host.
    Elsewhere,
    /// Above the repository.
    Outside,
    Inside {
        path: String,
        heading: Option<String>,
    },
}

impl Page {
    pub fn read(path: &str, text: &str) -> Self {
        let (mut parts, mut links): (Vec<Part>, Vec<String>) = (Vec::new(), Vec::new());
        let mut in_heading = false;
        for event in events(text) {
            match event {
                Event::Start(Tag::Heading { .. }) => {
                    in_heading = true;
                    parts.push(Part {
                        id: String::new(),
                        title: String::new(),
                        text: String::new(),
                    });
                }
                Event::End(TagEnd::Heading(_)) => in_heading = false,
                Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url.into_string()),
                Event::Text(words) | Event::Code(words) => {
                    if let Some(part) = parts.last_mut() {
                        if in_heading {
                            part.title += &words;
                        } else {
                            part.text += &words;
                            part.text.push(' ');
                        }
                    }
                }
                Event::SoftBreak | Event::HardBreak => {
                    if let Some(part) = parts.last_mut().filter(|_| !in_heading) {
                        part.text.push(' ');
                    }
                }
                _ => {}
            }
        }
        let mut seen = BTreeMap::new();
        for part in &mut parts {
            part.id = slug(&part.title, &mut seen);
        }
        let title = parts.first().map_or_else(|| path.to_owned(), |part| part.title.clone());
        Self { path: path.to_owned(), title, parts, links, text: text.to_owned() }
    }

    /// Its name in the site.
    pub fn address(&self) -> String {
        address(&self.path)
    }

    pub fn target(&self, link: &str) -> Target {
        if link.contains("://") || link.starts_with("mailto:") {
            return Target::Elsewhere;
        }
        let (file, heading) = match link.split_once('#') {
            Some((file, heading)) => (file, Some(heading.to_owned())),
            None => (link, None),
        };
        if file.is_empty() {
            return Target::Inside { path: self.path.clone(), heading };
        }
        let mut parts: Vec<&str> = self.path.split('/').collect();
        parts.pop();
        for part in file.split('/') {
            match part {
                ".." if parts.pop().is_none() => return Target::Outside,
                "" | "." | ".." => {}
                name => parts.push(name),
            }
        }
        Target::Inside { path: parts.join("/"), heading }
    }

    /// Links lead to the pages of the site where there is one, else to the file in the repository.
    pub fn html(&self, pages: &BTreeSet<&str>, repository: &str) -> String {
        let mut ids = self.parts.iter().map(|part| part.id.clone());
        let lead = |link: &str| match self.target(link) {
            Target::Elsewhere | Target::Outside => link.to_owned(),
            Target::Inside { path, heading } => {
                let heading = heading.map(|name| format!("#{name}")).unwrap_or_default();
                if pages.contains(path.as_str()) {
                    address(&path) + &heading
                } else {
                    format!("{repository}/blob/main/{path}{heading}")
                }
            }
        };
        let events = events(&self.text).map(|event| match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = ids.next().map(CowStr::from);
                Event::Start(Tag::Heading { level, id, classes, attrs })
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                Event::Start(Tag::Link { link_type, dest_url: lead(&dest_url).into(), title, id })
            }
            // Comments for programs are none for readers, and no page has HTML of its own.
            Event::Html(_) | Event::InlineHtml(_) => Event::Text("".into()),
            other => other,
        });
        let mut out = String::new();
        html::push_html(&mut out, events);
        // Wide tables scroll by themselves.
        out.replace("<table>", "<div class=\"wide\"><table>").replace("</table>", "</table></div>")
    }
}

fn events(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

fn address(path: &str) -> String {
    let name = path.strip_prefix("docs/").unwrap_or(path);
    let name = if name == "README.md" { "contents.md" } else { name };
    name.trim_end_matches(".md").to_lowercase() + ".html"
}

/// The name of a heading in links, as code hosts make it.
fn slug(title: &str, seen: &mut BTreeMap<String, usize>) -> String {
    let kept = title.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    let slug: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
    let count = seen.entry(slug.clone()).and_modify(|count| *count += 1).or_default();
    if *count == 0 { slug } else { format!("{slug}-{count}") }
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_named_as_code_hosts_name_them() {
        let page =
            Page::read("docs/a.md", "# What's `--here`, now?\n\nwords\n\n## Same\n\n## Same\n");
        let ids: Vec<&str> = page.parts.iter().map(|part| part.id.as_str()).collect();
        assert_eq!(ids, ["whats---here-now", "same", "same-1"]);
        assert_eq!(page.title, "What's --here, now?");
        assert_eq!(page.parts[0].text, "words ");
    }

    #[test]
    fn links_lead_to_the_site_where_it_has_the_page_and_to_the_repository_where_not() {
        let page = Page::read(
            "docs/a.md",
            "# A\n\n[b](b.md#x) [c](../README.md) [d](../crates/x) <!-- no -->\n",
        );
        let html = page.html(&BTreeSet::from(["docs/a.md", "docs/b.md"]), "https://host/us");
        for part in [
            "<h1 id=\"a\">",
            "href=\"b.html#x\"",
            "https://host/us/blob/main/README.md",
            "blob/main/crates/x",
        ] {
            assert!(html.contains(part), "{part} is missing: {html}");
        }
        assert!(!html.contains("<!--"), "{html}");
    }
}
