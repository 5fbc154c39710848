//! `cargo xtask book`: the pages of `docs/` as a site in `target/book`, with search, and every link of it looked at. The order of the
//! pages is that of the table in `docs/README.md`.

mod page;

use crate::dist::Facts;
use anyhow::{Context, Result, bail};
use page::{Page, Target};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

const FRAME: &str = include_str!("book/frame.html");
const FILES: [(&str, &str); 2] =
    [("book.css", include_str!("book/book.css")), ("search.js", include_str!("book/search.js"))];
/// What a reader sees first.
const FIRST: &str = "docs/caught.md";
/// Pages that stand outside the folder.
const BESIDE: [&str; 4] = ["CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md"];

pub fn run() -> Result<ExitCode> {
    let facts = Facts::read()?;
    let pages = read(&facts)?;
    let wrong = wrong_links(&facts.root, &pages);
    if !wrong.is_empty() {
        let mut talk = std::io::stderr().lock();
        for line in &wrong {
            writeln!(talk, "{line}")?;
        }
        bail!("{} links of the book lead nowhere", wrong.len());
    }
    let out = facts.root.join("target/book");
    if out.exists() {
        std::fs::remove_dir_all(&out)
            .with_context(|| format!("{} can't be emptied", out.display()))?;
    }
    std::fs::create_dir_all(&out)?;
    for (name, text) in FILES {
        std::fs::write(out.join(name), text)?;
    }
    for (at, page) in pages.iter().enumerate() {
        let text = framed(&facts, &pages, at);
        std::fs::write(out.join(page.address()), text)?;
    }
    // The first page is also the one of the folder.
    std::fs::copy(out.join(pages[0].address()), out.join("index.html"))?;
    for entry in std::fs::read_dir(facts.root.join("docs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "txt" || ending == "json") {
            std::fs::copy(&path, out.join(path.file_name().unwrap_or_default()))?;
        }
    }
    std::fs::write(out.join("search-index.js"), index(&pages)?)?;
    let headings: usize = pages.iter().map(|page| page.parts.len()).sum();
    writeln!(
        std::io::stdout(),
        "{} pages, {headings} parts, every link leads somewhere: {}",
        pages.len(),
        out.join("index.html").display()
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The pages in their order.
fn read(facts: &Facts) -> Result<Vec<Page>> {
    let contents = facts.file("docs/README.md")?;
    let mut paths = vec![FIRST.to_owned(), "docs/README.md".to_owned()];
    let rows = contents
        .lines()
        .filter_map(|line| line.strip_prefix("| [")?.split_once("](")?.1.split_once(')'));
    paths.extend(rows.map(|(name, _)| format!("docs/{name}")).filter(|path| path != FIRST));
    paths.extend(BESIDE.map(str::to_owned));
    let named: BTreeSet<&String> = paths.iter().collect();
    for entry in std::fs::read_dir(facts.root.join("docs"))? {
        let name = format!("docs/{}", entry?.file_name().to_string_lossy());
        if crate::tree::has_ending(&name, "md") && !named.contains(&name) {
            bail!("{name} is in no row of the table in docs/README.md, so nobody finds it");
        }
    }
    paths.iter().map(|path| Ok(Page::read(path, &facts.file(path)?))).collect()
}

/// Every link that leads to no page, no heading or no file of the repository.
fn wrong_links(root: &Path, pages: &[Page]) -> Vec<String> {
    let headings: BTreeMap<&str, BTreeSet<&str>> = pages
        .iter()
        .map(|page| (page.path.as_str(), page.parts.iter().map(|part| part.id.as_str()).collect()))
        .collect();
    let mut wrong = Vec::new();
    for page in pages {
        for link in &page.links {
            let fault = match page.target(link) {
                Target::Elsewhere => None,
                Target::Outside => Some("leaves the repository"),
                Target::Inside { path, heading } => match (headings.get(path.as_str()), heading) {
                    (Some(known), Some(heading)) if !known.contains(heading.as_str()) => {
                        Some("no such heading")
                    }
                    (None, _) if !root.join(&path).exists() => Some("no such file"),
                    _ => None,
                },
            };
            wrong.extend(fault.map(|fault| format!("{}: {link}: {fault}", page.path)));
        }
    }
    wrong
}

fn framed(facts: &Facts, pages: &[Page], at: usize) -> String {
    let page = &pages[at];
    let mut menu = String::new();
    for (place, other) in pages.iter().enumerate() {
        let here = if place == at { " aria-current=\"page\"" } else { "" };
        let _ = writeln!(
            menu,
            "<li><a href=\"{}\"{here}>{}</a></li>",
            other.address(),
            page::escaped(&other.title)
        );
    }
    let known: BTreeSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    FRAME
        .replace("{{title}}", &page::escaped(&page.title))
        .replace("{{menu}}", &menu)
        .replace("{{version}}", &facts.version)
        .replace("{{source}}", &facts.repository)
        .replace("{{body}}", &page.html(&known, &facts.repository))
}

/// What the search looks in: each part of a page by itself.
fn index(pages: &[Page]) -> Result<String> {
    let parts = pages.iter().flat_map(|page| {
        page.parts.iter().map(|part| {
            let address = format!("{}#{}", page.address(), part.id);
            json!({ "page": page.title, "part": part.title, "at": address, "text": part.text })
        })
    });
    Ok(format!("window.parts = {};\n", serde_json::to_string(&parts.collect::<Vec<_>>())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_the_book_leads_somewhere() {
        let facts = Facts::read().unwrap();
        let pages = read(&facts).unwrap();
        assert!(pages.len() > 20);
        assert_eq!(wrong_links(&facts.root, &pages), Vec::<String>::new());
    }

    #[test]
    fn a_link_to_no_page_or_no_heading_is_named() {
        let text = "# A\n\n[b](b.md) [c](#c) [a](#a) [d](../../x) [e](https://example.com)\n";
        let wrong = wrong_links(Path::new("/nowhere"), &[Page::read("docs/a.md", text)]);
        let wanted = [
            "docs/a.md: b.md: no such file",
            "docs/a.md: #c: no such heading",
            "docs/a.md: ../../x: leaves the repository",
        ];
        assert_eq!(wrong, wanted);
    }
}
