//! Which project on which host is meant: as somebody says it, as the host's own jobs say it, or as the remote does.

use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::Result;
use proctor_hosts::{Kind, Place};
use proctor_world::git::Git;
use proctor_world::repo::UserRepo;

/// The word for a kind of host.
pub fn said(word: Option<&str>) -> Option<Kind> {
    match word {
        Some("github") => Some(Kind::GitHub),
        Some("gitlab") => Some(Kind::GitLab),
        _ => None,
    }
}

pub fn place(around: &Surroundings, named: Option<&str>, kind: Option<Kind>) -> Result<Place> {
    let unknown = |url: &str| {
        usage(format!(
            "it can't be told which project {url:?} is\nhint: give its full address; `proctor publish` takes --project URL, and --host github or gitlab where the name of the host does not say it"
        ))
    };
    if let Some(url) = named {
        return Place::of_remote(url, kind).ok_or_else(|| unknown(url));
    }
    if let Some((url, kind)) = of_job(around) {
        return Place::of_remote(&url, Some(kind)).ok_or_else(|| unknown(&url));
    }
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    let git = Git::on(&repo.git_dir).with_users_settings();
    let url = git.line(&["config", "--default", "", "--get", "remote.origin.url"])?;
    if url.is_empty() {
        return Err(usage(
            "this repository has no remote `origin` that says on which host it is\nhint: give the full address, or `git remote add origin URL`",
        ));
    }
    Place::of_remote(&url, kind).ok_or_else(|| unknown(&without_user(&url)))
}

fn of_job(around: &Surroundings) -> Option<(String, Kind)> {
    let var = |name: &str| around.var(name).map(|value| value.to_string_lossy().into_owned());
    let of = |server: &str, project: &str| Some(format!("{}/{}", var(server)?, var(project)?));
    of("GITHUB_SERVER_URL", "GITHUB_REPOSITORY")
        .map(|url| (url, Kind::GitHub))
        .or_else(|| of("CI_SERVER_URL", "CI_PROJECT_PATH").map(|url| (url, Kind::GitLab)))
}

/// An address may hold a password.
fn without_user(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => url.to_owned(),
    }
}
