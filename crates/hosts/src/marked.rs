//! Our one comment on a request: by what it is known again, of which commit it speaks, and what people answered to it. An override
//! counts for that commit alone, and only where it was written after the verdict that it overrides.

use crate::host::Comment;

const MARK: &str = "<!-- proctor verify";
const WORD: &str = "/proctor accept";

/// What the first line of our comment says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    pub commit: String,
    /// When the verdict about this commit was first shown, by the host's clock.
    pub since: String,
    pub verdict: String,
}

impl Marked {
    pub fn line(&self) -> String {
        format!("{MARK} {} {} {} -->", self.commit, self.since, self.verdict)
    }

    pub fn read(body: &str) -> Option<Self> {
        let line = body.lines().next()?.strip_prefix(MARK)?.strip_suffix("-->")?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let marked = Self { commit: words.next()?, since: words.next()?, verdict: words.next()? };
        words.next().is_none().then_some(marked)
    }
}

/// Our own comment. Somebody else may have written the mark too.
pub fn own<'a>(comments: &'a [Comment], me: &str) -> Option<&'a Comment> {
    comments.iter().find(|comment| comment.author == me && comment.body.starts_with(MARK))
}

/// That somebody takes the change in spite of the verdict. Whether they may is asked of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    pub by: String,
    pub reason: String,
}

/// Overrides of the verdict about a commit, the latest first. None counts where our comment speaks of another commit, where it
/// was written before that verdict was shown, where it was edited, or where it names another commit itself.
pub fn overrides(comments: &[Comment], me: &str, commit: &str) -> Vec<Override> {
    let Some(shown) = own(comments, me).and_then(|comment| Marked::read(&comment.body)) else {
        return Vec::new();
    };
    if shown.commit != commit {
        return Vec::new();
    }
    let later = comments.iter().rev().filter(|comment| {
        comment.author != me && comment.created > shown.since && comment.created == comment.updated
    });
    later
        .filter_map(|comment| {
            let reason = comment.body.trim().strip_prefix(WORD)?;
            if !reason.starts_with(char::is_whitespace) {
                return None;
            }
            let reason = reason.lines().next().unwrap_or_default().trim();
            let first = reason.split_whitespace().next()?;
            let is_hash = first.len() >= 7 && first.bytes().all(|byte| byte.is_ascii_hexdigit());
            let reason = match is_hash {
                true if !commit.starts_with(first) => return None,
                true => reason.trim_start_matches(first).trim(),
                false => reason,
            };
            (!reason.is_empty())
                .then(|| Override { by: comment.author.clone(), reason: reason.to_owned() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(id: u64, author: &str, created: &str, body: &str) -> Comment {
        let created = created.to_owned();
        let (author, body) = (author.to_owned(), body.to_owned());
        Comment { id, author, body, updated: created.clone(), created }
    }

    fn shown(commit: &str) -> Comment {
        let (since, verdict) = ("2026-01-02T00:00:00Z".to_owned(), "inconclusive".to_owned());
        let line = Marked { commit: commit.to_owned(), since, verdict }.line();
        comment(1, "bot", "2026-01-01T00:00:00Z", &format!("{line}\nwords"))
    }

    #[test]
    fn the_mark_is_read_back_and_only_ours_counts() {
        let all = [comment(7, "thief", "x", "<!-- proctor verify abc t proven -->"), shown("abc")];
        assert_eq!(own(&all, "bot").unwrap().id, 1);
        assert_eq!(own(&all, "nobody"), None);
        assert_eq!(Marked::read(&all[1].body).unwrap().commit, "abc");
        assert_eq!(Marked::read("<!-- proctor verify -->\nold"), None);
    }

    #[test]
    fn an_override_is_bound_to_the_commit_and_comes_after_the_verdict() {
        let commit = "abcdef1234";
        let at = |time: &str, body: &str| [shown(commit), comment(2, "ann", time, body)];
        let late = "2026-01-03T00:00:00Z";
        let found = |all: &[Comment]| overrides(all, "bot", commit);
        assert_eq!(
            found(&at(late, "/proctor accept it is only a log line\nmore")),
            [Override { by: "ann".to_owned(), reason: "it is only a log line".to_owned() }]
        );
        assert_eq!(found(&at(late, "/proctor accept abcdef1 fine"))[0].reason, "fine");
        for (time, body) in [
            ("2026-01-01T12:00:00Z", "/proctor accept too early"),
            (late, "/proctor accept"),
            (late, "/proctor accepted not the word"),
            (late, "/proctor accept 1234567 another commit"),
            (late, "please /proctor accept this"),
        ] {
            assert_eq!(found(&at(time, body)), [], "{body}");
        }
        let mut edited = at(late, "/proctor accept edited");
        edited[1].updated = "2026-01-04T00:00:00Z".to_owned();
        assert_eq!(found(&edited), []);
        // The next push: our comment speaks of another commit.
        assert_eq!(overrides(&at(late, "/proctor accept fine"), "bot", "fedcba"), []);
    }
}
