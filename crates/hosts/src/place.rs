//! Where a repository is: which kind of host, its address, the project's path. Read from a remote's URL or an issue's.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    GitHub,
    GitLab,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::GitHub => "GitHub",
            Self::GitLab => "GitLab",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub kind: Kind,
    /// With a port, where one was named.
    pub host: String,
    /// `owner/name`, on GitLab with all groups.
    pub project: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host, self.project)
    }
}

impl Place {
    /// From a remote's URL: `https://host/a/b.git`, `ssh://git@host:22/a/b`, `git@host:a/b.git`. `said` is what somebody says that
    /// the host is; else its name must say so.
    pub fn of_remote(url: &str, said: Option<Kind>) -> Option<Self> {
        let (host, path) = if let Some((scheme, rest)) = url.split_once("://") {
            let (host, path) = rest.split_once('/')?;
            let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
            // The port of ssh is not that of the pages.
            let web = scheme.starts_with("http");
            (if web { host } else { host.split(':').next()? }, path)
        } else {
            let (host, path) = url.split_once(':')?;
            (host.rsplit_once('@').map_or(host, |(_, host)| host), path)
        };
        let path = path.trim_matches('/');
        let project = path.strip_suffix(".git").unwrap_or(path);
        let parts = project.split('/').count();
        let kind = said.or_else(|| kind_of(host))?;
        let lawful = match kind {
            Kind::GitHub => parts == 2,
            Kind::GitLab => parts >= 2,
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./~".contains(c);
        (lawful && !host.is_empty() && project.chars().all(plain)).then(|| Self {
            kind,
            host: host.to_owned(),
            project: project.to_owned(),
        })
    }

    /// From the address of an issue or a request, with its number.
    pub fn of_page(url: &str, said: Option<Kind>) -> Option<(Self, u64)> {
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
        let (host, path) = rest.split_once('/')?;
        let path = path.split(['?', '#']).next()?.trim_end_matches('/');
        let (front, number) = path.rsplit_once('/')?;
        let number = number.parse().ok()?;
        let (project, kind) = front
            .strip_suffix("/-/issues")
            .or_else(|| front.strip_suffix("/-/merge_requests"))
            .or_else(|| front.strip_suffix("/-/work_items"))
            .map(|project| (project, Kind::GitLab))
            .or_else(|| {
                let project =
                    front.strip_suffix("/issues").or_else(|| front.strip_suffix("/pull"))?;
                Some((project, Kind::GitHub))
            })?;
        let kind = said.unwrap_or(kind);
        Self::of_remote(&format!("https://{host}/{project}"), Some(kind)).map(|it| (it, number))
    }

    /// Where its REST API is.
    pub fn api(&self) -> String {
        match self.kind {
            Kind::GitHub if self.host == "github.com" => "https://api.github.com".to_owned(),
            Kind::GitHub => format!("https://{}/api/v3", self.host),
            Kind::GitLab => format!("https://{}/api/v4", self.host),
        }
    }
}

fn kind_of(host: &str) -> Option<Kind> {
    let name = host.split(':').next()?;
    let has = |word: &str| name.split('.').any(|part| part == word);
    if has("github") {
        Some(Kind::GitHub)
    } else if has("gitlab") {
        Some(Kind::GitLab)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_in_every_spelling_are_read() {
        for url in [
            "https://github.com/a/b.git",
            "https://x:y@github.com/a/b",
            "git@github.com:a/b.git",
            "ssh://git@github.com:22/a/b.git",
        ] {
            let place = Place::of_remote(url, None).unwrap();
            assert_eq!(
                (place.kind, place.to_string().as_str()),
                (Kind::GitHub, "github.com/a/b"),
                "{url}"
            );
            assert_eq!(place.api(), "https://api.github.com");
        }
        let own = Place::of_remote("https://gitlab.corp.example:8443/g/sub/p.git", None).unwrap();
        assert_eq!(own.api(), "https://gitlab.corp.example:8443/api/v4");
        assert_eq!(own.project, "g/sub/p");
        let said = Place::of_remote("git@code.corp:a/b", Some(Kind::GitHub)).unwrap();
        assert_eq!(said.api(), "https://code.corp/api/v3");
        for url in [
            "git@code.corp:a/b",
            "/srv/git/b.git",
            "https://github.com/a",
            "https://github.com/a/b c",
        ] {
            assert_eq!(Place::of_remote(url, None), None, "{url}");
        }
    }

    #[test]
    fn issues_and_requests_are_known_by_their_address() {
        for (url, project, number) in [
            ("https://github.com/a/b/issues/12", "a/b", 12),
            ("https://github.com/a/b/pull/3#discussion", "a/b", 3),
            ("https://gitlab.com/g/s/p/-/issues/4", "g/s/p", 4),
            ("https://code.corp/g/p/-/merge_requests/5", "g/p", 5),
        ] {
            let (place, found) = Place::of_page(url, None).unwrap();
            assert_eq!((place.project.as_str(), found), (project, number));
        }
        assert_eq!(Place::of_page("https://github.com/a/b", None), None);
    }
}
