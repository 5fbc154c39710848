//! Paths of this machine, and the words that stand in their place. What leaves the machine must not say where things
//! lie on it.

use crate::Shop;
use proctor_core::brief::{AgentKind, AgentSpec, Repo, Setup};
use std::collections::BTreeSet;
use std::path::Path;

/// A value that is shorter says nothing, and would be found everywhere.
const SHORTEST_VALUE: usize = 6;

/// What is masked, the longest first.
#[derive(Clone, Debug)]
pub struct Masks(Vec<Mask>);

#[derive(Clone, Debug)]
struct Mask {
    real: String,
    shown: String,
    /// A path ends where a name ends; a value is a value wherever it stands.
    is_path: bool,
}

impl Masks {
    /// The places that children are told, and the scenarios of these agents.
    pub fn of<'a>(shop: &Shop, repo: &Repo, agents: impl Iterator<Item = &'a AgentSpec>) -> Self {
        let own = shop.own_program.to_string_lossy();
        let home = shop.var("HOME").map(|home| home.to_string_lossy()).unwrap_or_default();
        let tmp = shop.var("TMPDIR").map(|tmp| tmp.to_string_lossy()).unwrap_or_default();
        let cargo = shop.var("CARGO_HOME").map(|dir| dir.to_string_lossy()).unwrap_or_default();
        let rustup = shop.var("RUSTUP_HOME").map(|dir| dir.to_string_lossy()).unwrap_or_default();
        let scripts = agents.filter_map(|agent| match &agent.kind {
            AgentKind::Script { file } => Some((file.as_str(), "$SCENARIO")),
            AgentKind::Command { .. }
            | AgentKind::Claude(_)
            | AgentKind::Codex(_)
            | AgentKind::Gemini(_)
            | AgentKind::Opencode(_)
            | AgentKind::Goose(_)
            | AgentKind::Api(_)
            | AgentKind::Acp(_) => None,
        });
        let mut masks = Vec::new();
        for (path, shown) in scripts.chain([
            (shop.home.root().to_string_lossy().as_ref(), "$PROCTOR_HOME"),
            (own.as_ref(), "$PROCTOR"),
            (repo.root.as_str(), "$REPOSITORY"),
            (repo.git_dir.as_str(), "$GIT_DIR"),
            (cargo.as_ref(), "$CARGO_HOME"),
            (rustup.as_ref(), "$RUSTUP_HOME"),
            (tmp.as_ref(), "$TMPDIR"),
            (home.as_ref(), "$HOME"),
        ]) {
            let path = path.trim_end_matches('/');
            // The root of all paths is nobody's secret, and would be found everywhere.
            if path.starts_with('/') && path.len() > 1 {
                masks.push(Mask { real: path.to_owned(), shown: shown.to_owned(), is_path: true });
            }
        }
        Self(masks).sorted()
    }

    /// Also the values of the variables that this run handed on, as far as they are known here.
    #[must_use]
    pub fn with_values<'a>(
        mut self,
        shop: &Shop,
        setup: &Setup,
        agents: impl Iterator<Item = &'a AgentSpec>,
    ) -> Self {
        let passed = setup.env_pass.iter();
        let agents = agents.flat_map(|agent| &agent.env);
        let names: BTreeSet<&String> = passed.chain(agents).collect();
        let known = names.into_iter().filter_map(|name| {
            let value = shop.var(name)?.to_str()?.to_owned();
            Some((name.clone(), value))
        });
        let set = setup.env.iter().map(|(name, value)| (name.clone(), value.clone()));
        for (name, value) in known.chain(set).filter(|(_, value)| value.len() >= SHORTEST_VALUE) {
            self.0.push(Mask { real: value, shown: format!("[value of {name}]"), is_path: false });
        }
        self.sorted()
    }

    fn sorted(mut self) -> Self {
        self.0.sort_by(|a, b| b.real.len().cmp(&a.real.len()).then(a.real.cmp(&b.real)));
        self
    }

    /// The same text, masked.
    pub fn hide(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for mask in &self.0 {
            if text.contains(&mask.real) {
                text = mask.over(&text);
            }
        }
        text
    }

    /// A masked path as it is on this machine.
    pub fn reveal(&self, path: &str) -> String {
        let found = self.0.iter().filter(|mask| mask.is_path).find_map(|mask| {
            let rest = path.strip_prefix(&mask.shown)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", mask.real))
        });
        found.unwrap_or_else(|| path.to_owned())
    }

    pub(crate) fn hide_path(&self, path: &Path) -> String {
        self.hide(&path.to_string_lossy())
    }
}

impl Mask {
    fn over(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(&self.real) {
            let (before, found) = rest.split_at(at);
            let after = found.get(self.real.len()..).unwrap_or_default();
            let another =
                self.is_path && (after.starts_with(is_of_a_name) || !may_begin_after(before));
            out.push_str(before);
            out.push_str(if another { &self.real } else { &self.shown });
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// Whether a path from the root may begin behind this text: not inside another path, but right behind a flag.
fn may_begin_after(before: &str) -> bool {
    let parts = |c: char| c.is_whitespace() || "\"'=:,;()[]{}<>|".contains(c);
    let word = before.rsplit(parts).next().unwrap_or_default();
    word.starts_with('-') || !word.ends_with(|c: char| is_of_a_name(c) || c == '.')
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(pairs: &[(&str, &str, bool)]) -> Masks {
        let mask = |(real, shown, is_path): &(&str, &str, bool)| Mask {
            real: (*real).to_owned(),
            shown: (*shown).to_owned(),
            is_path: *is_path,
        };
        Masks(pairs.iter().map(mask).collect()).sorted()
    }

    #[test]
    fn the_longest_path_is_masked_first_and_only_where_it_ends() {
        let masks = masks(&[("/srv", "$HOME", true), ("/srv/p", "$PROCTOR_HOME", true)]);
        assert_eq!(
            masks.hide("/srv/p/x:3 '/srv' /srves /srv/pp"),
            "$PROCTOR_HOME/x:3 '$HOME' /srves $HOME/pp"
        );
        assert_eq!(
            masks.hide("src/srv/a.py -I/srv/x --to=/srv file:///srv/y ./srv"),
            "src/srv/a.py -I$HOME/x --to=$HOME file://$HOME/y ./srv"
        );
    }

    #[test]
    fn a_masked_path_is_found_again() {
        let masks = masks(&[("/srv", "$HOME", true), ("/srv/p", "$PROCTOR_HOME", true)]);
        assert_eq!(masks.reveal("$PROCTOR_HOME/a"), "/srv/p/a");
        assert_eq!(masks.reveal("/usr/bin/python3"), "/usr/bin/python3");
        assert_eq!(masks.reveal("$HOMES/a"), "$HOMES/a");
    }

    #[test]
    fn a_value_is_masked_wherever_it_stands() {
        let masks = masks(&[("hunter22", "[value of KEY]", false)]);
        assert_eq!(masks.hide("xhunter22x"), "x[value of KEY]x");
    }
}
