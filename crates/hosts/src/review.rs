//! Reviews of people on a request, and what they come to for one commit. Whether somebody may merge is asked of the host.

use crate::host::{Comment, Request, RequestState};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    pub by: String,
    pub stand: Stand,
    /// The commit that it was given to; none where the host does not say.
    pub commit: Option<String>,
    /// When, as the host writes moments.
    pub at: String,
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    Approves,
    Objects,
    /// What was said was taken back.
    Nothing,
}

/// What the reviews of a commit come to, before anybody asked who may merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reviewed {
    /// By these, the first who approved it first; and what each wrote with it.
    By(Vec<(String, String)>),
    /// Somebody asks for a change.
    Objected { by: Vec<String> },
    /// Nobody approved this commit; and why what there is does not count.
    Nobody { why: Option<String> },
}

/// What stands on the request for that commit. `pushed` is when the commit came, where the host says so.
pub fn reviewed(
    request: &Request,
    (reviews, comments): (&[Review], &[Comment]),
    (commit, pushed): (&str, Option<&str>),
) -> Result<Reviewed, String> {
    let short = |commit: &str| commit.chars().take(10).collect::<String>();
    if request.head != commit {
        return Err(format!(
            "its branch is at {} by now, which nobody proved; what was proven is {}",
            short(&request.head),
            short(commit)
        ));
    }
    match request.state {
        RequestState::Open => {}
        RequestState::Closed => return Err("it was closed without being merged".to_owned()),
        RequestState::Merged => {
            let by = request.merged_by.clone().unwrap_or_else(|| "whoever merged it".to_owned());
            return Ok(Reviewed::By(vec![(by, String::new())]));
        }
    }
    let mut last: BTreeMap<&str, &Review> = BTreeMap::new();
    for review in reviews.iter().filter(|review| review.by != request.author) {
        last.insert(&review.by, review);
    }
    let objecting = last.values().filter(|review| review.stand == Stand::Objects);
    let by: Vec<String> = objecting.map(|review| review.by.clone()).collect();
    if !by.is_empty() {
        return Ok(Reviewed::Objected { by });
    }
    let (mut found, mut why) = (Vec::new(), None);
    for review in last.values().filter(|review| review.stand == Stand::Approves) {
        match (&review.commit, pushed) {
            (Some(of), _) if of == commit => found.push(*review),
            (None, Some(pushed)) if !review.at.is_empty() && review.at.as_str() > pushed => {
                found.push(*review);
            }
            (None, _) if review.at.is_empty() => {
                why = Some(format!("the host does not say when {} approved it", review.by));
            }
            _ => why = Some(format!("{} approved an older commit", review.by)),
        }
    }
    found.sort_by(|one, other| one.at.cmp(&other.at));
    let words = |review: &Review| match pushed {
        // Where an approval has no words, an answer of the same person has them.
        Some(pushed) if review.words.is_empty() => said(comments, &review.by, pushed),
        _ => review.words.clone(),
    };
    if found.is_empty() {
        return Ok(Reviewed::Nobody { why });
    }
    Ok(Reviewed::By(found.into_iter().map(|one| (one.by.clone(), words(one))).collect()))
}

fn said(comments: &[Comment], by: &str, since: &str) -> String {
    let own = comments.iter().filter(|comment| {
        comment.author == by
            && comment.created == comment.updated
            && comment.created.as_str() > since
    });
    own.map(|comment| comment.body.as_str()).collect::<Vec<_>>().join("\n")
}

/// The reason in words that take what a person must look at.
pub fn reason(words: &str, accept: &str) -> Option<String> {
    let mut lines = words.lines().filter_map(|line| line.trim().strip_prefix(accept));
    let reason = lines.find(|rest| rest.starts_with(char::is_whitespace))?.trim();
    (!reason.is_empty()).then(|| reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Shade;

    fn request(head: &str) -> Request {
        Request {
            number: 1,
            url: String::new(),
            title: String::new(),
            body: String::new(),
            from: "b".to_owned(),
            onto: "main".to_owned(),
            head: head.to_owned(),
            author: "bot".to_owned(),
            state: RequestState::Open,
            shade: Shade::Draft,
            node: String::new(),
            merged_by: None,
        }
    }

    fn review(by: &str, stand: Stand, commit: Option<&str>, at: &str) -> Review {
        let words = format!("words of {by}");
        Review { by: by.into(), stand, commit: commit.map(str::to_owned), at: at.into(), words }
    }

    fn of(all: &[Review], pushed: Option<&str>) -> Reviewed {
        reviewed(&request("new"), (all, &[]), ("new", pushed)).unwrap()
    }

    #[test]
    fn an_approval_counts_for_its_commit_and_not_by_the_author() {
        let yes = |by, commit| review(by, Stand::Approves, Some(commit), "2");
        assert_eq!(
            of(&[yes("ann", "new"), yes("bot", "new")], None),
            Reviewed::By(vec![("ann".into(), "words of ann".into())])
        );
        let Reviewed::Nobody { why: Some(why) } = of(&[yes("ann", "old")], None) else { panic!() };
        assert_eq!(why, "ann approved an older commit");
        assert_eq!(of(&[yes("bot", "new")], None), Reviewed::Nobody { why: None });
    }

    #[test]
    fn the_last_word_of_each_person_counts_and_one_objection_is_enough() {
        let of_new = |by, stand| review(by, stand, Some("new"), "2");
        let taken_back = [of_new("ann", Stand::Approves), of_new("ann", Stand::Nothing)];
        assert_eq!(of(&taken_back, None), Reviewed::Nobody { why: None });
        let mixed = [of_new("bob", Stand::Objects), of_new("ann", Stand::Approves)];
        assert_eq!(of(&mixed, None), Reviewed::Objected { by: vec!["bob".into()] });
        let came_round = [&mixed[..], &[of_new("bob", Stand::Approves)]].concat();
        assert!(matches!(of(&came_round, None), Reviewed::By(by) if by.len() == 2));
    }

    #[test]
    fn where_the_host_names_no_commit_the_moment_decides() {
        let at = |moment| [review("ann", Stand::Approves, None, moment)];
        assert!(matches!(of(&at("2026-01-02"), Some("2026-01-01")), Reviewed::By(_)));
        for (moment, pushed) in
            [("2026-01-01", Some("2026-01-02")), ("", Some("2026-01-01")), ("2026-01-02", None)]
        {
            assert!(
                matches!(of(&at(moment), pushed), Reviewed::Nobody { why: Some(_) }),
                "{moment} {pushed:?}"
            );
        }
    }

    #[test]
    fn a_branch_that_somebody_pushed_to_and_a_closed_request_are_no_approval_and_a_merge_is_one() {
        let yes = [review("ann", Stand::Approves, Some("new"), "2")];
        let told = reviewed(&request("other"), (&yes, &[]), ("new", None)).unwrap_err();
        assert!(told.contains("which nobody proved"), "{told}");
        let closed = Request { state: RequestState::Closed, ..request("new") };
        assert!(reviewed(&closed, (&yes, &[]), ("new", None)).is_err());
        let by = Some("ann".to_owned());
        let merged = Request { state: RequestState::Merged, merged_by: by, ..request("new") };
        let found = reviewed(&merged, (&[], &[]), ("new", None)).unwrap();
        assert_eq!(found, Reviewed::By(vec![("ann".into(), String::new())]));
    }

    #[test]
    fn a_reason_is_a_line_of_its_own() {
        let of = |words| reason(words, "/proctor accept");
        assert_eq!(
            of("fine\n/proctor accept it is generated\nbye"),
            Some("it is generated".into())
        );
        for words in ["fine", "/proctor accept", "/proctor accepted x", "I say /proctor accept x"] {
            assert_eq!(of(words), None, "{words}");
        }
    }
}
