//! What is asked of a host, whichever it is: requests (pull or merge), comments, reviews, reports on a commit, issues, rights.

use crate::call::Call;
use crate::github::GitHub;
use crate::gitlab::GitLab;
use crate::place::{Kind, Place};
use crate::review::Review;
use serde_json::Value;

/// A pull or merge request as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub number: u64,
    pub url: String,
    pub title: String,
    pub body: String,
    /// The branches that it is of and for.
    pub from: String,
    pub onto: String,
    pub head: String,
    pub author: String,
    pub state: RequestState,
    pub shade: Shade,
    /// By what the host's other API knows it; empty where there is none.
    pub node: String,
    /// Who merged it.
    pub merged_by: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestState {
    Open,
    Merged,
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    Draft,
    Ready,
}

/// A request as it shall be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestText {
    pub title: String,
    pub body: String,
    pub from: String,
    pub onto: String,
    pub shade: Shade,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    pub id: u64,
    pub author: String,
    pub body: String,
    /// As hosts write moments: texts that sort as the moments do.
    pub created: String,
    pub updated: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Pending,
    Passed,
    Failed,
    /// Nothing failed, and a person must look.
    Waits,
}

/// What is said about a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub commit: String,
    pub state: State,
    /// One line.
    pub title: String,
    pub summary: String,
    pub remarks: Vec<Remark>,
    /// By what the same report is known again.
    pub key: String,
    pub link: Option<String>,
}

/// An annotation at a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub path: String,
    pub line: u32,
    pub level: Level,
    pub title: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Warning,
    Failure,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    pub number: u64,
    pub title: String,
    pub body: String,
    pub url: String,
}

/// What a report on a commit is called.
pub const REPORT: &str = "proctor";

/// What is asked beside what all hosts speak the same way, below another address.
pub const GRAPH: &str = "graphql";

pub(crate) trait Shapes {
    fn requests(&self, from: &str, onto: &str) -> Call;
    fn request(&self, number: u64) -> Call;
    fn read_request(&self, value: &Value) -> Option<Request>;
    fn open(&self, text: &RequestText) -> Call;
    fn change(&self, number: u64, text: &RequestText) -> Call;
    fn ready(&self, request: &Request) -> Call;
    fn comments(&self, number: u64) -> Call;
    fn read_comment(&self, value: &Value) -> Option<Comment>;
    fn write_comment(&self, number: u64, body: &str) -> Call;
    fn change_comment(&self, number: u64, id: u64, body: &str) -> Call;
    fn myself(&self) -> Call;
    fn read_user(&self, value: &Value) -> Option<String>;
    fn reviews(&self, number: u64) -> Call;
    fn read_reviews(&self, rows: &[Value]) -> Vec<Review>;
    fn pushes(&self, number: u64) -> Option<Call>;
    fn read_pushed(&self, rows: &[Value], commit: &str) -> Option<String>;
    fn rights(&self, user: &str) -> Call;
    fn may_merge(&self, value: &Value, user: &str) -> bool;
    fn reports(&self, commit: &str) -> Call;
    /// Ours among them: its number, and by what it is known.
    fn read_reports(&self, value: &Value) -> Vec<(u64, String)>;
    fn report(&self, report: &Report, existing: Option<u64>) -> Vec<Call>;
    fn outside(&self, number: u64) -> Option<Call>;
    fn read_outside(&self, rows: &[Value]) -> Option<u64>;
    fn answer_outside(&self, number: u64, check: u64, told: (&str, State)) -> Call;
    fn issue(&self, number: u64) -> Call;
    fn read_issue(&self, value: &Value) -> Option<Issue>;
}

/// One project on a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    pub place: Place,
}

macro_rules! asked {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $of:ty),*) -> $back:ty;)*) => {
        impl Host {
            $($(#[$doc])* pub fn $name(&self, $($arg: $of),*) -> $back {
                self.shapes().$name($($arg),*)
            })*
        }
    };
}

asked! {
    /// The open requests from one branch onto another.
    requests(from: &str, onto: &str) -> Call;
    request(number: u64) -> Call;
    read_request(value: &Value) -> Option<Request>;
    open(text: &RequestText) -> Call;
    change(number: u64, text: &RequestText) -> Call;
    /// Makes a draft one that is none.
    ready(request: &Request) -> Call;
    comments(number: u64) -> Call;
    read_comment(value: &Value) -> Option<Comment>;
    write_comment(number: u64, body: &str) -> Call;
    change_comment(number: u64, id: u64, body: &str) -> Call;
    /// Who asks.
    myself() -> Call;
    read_user(value: &Value) -> Option<String>;
    reviews(number: u64) -> Call;
    /// In the order in which they were given.
    read_reviews(rows: &[Value]) -> Vec<Review>;
    /// When which commit came, where reviews don't say of which commit they are.
    pushes(number: u64) -> Option<Call>;
    read_pushed(rows: &[Value], commit: &str) -> Option<String>;
    /// What a user may do here.
    rights(user: &str) -> Call;
    may_merge(value: &Value, user: &str) -> bool;
    /// What was reported on a commit.
    reports(commit: &str) -> Call;
    read_reports(value: &Value) -> Vec<(u64, String)>;
    report(report: &Report, existing: Option<u64>) -> Vec<Call>;
    /// Checks that the host lets somebody outside answer, where it has such.
    outside(number: u64) -> Option<Call>;
    /// Ours among them.
    read_outside(rows: &[Value]) -> Option<u64>;
    answer_outside(number: u64, check: u64, told: (&str, State)) -> Call;
    issue(number: u64) -> Call;
    read_issue(value: &Value) -> Option<Issue>;
}

impl Host {
    fn shapes(&self) -> Box<dyn Shapes> {
        let project = self.place.project.clone();
        match self.place.kind {
            Kind::GitHub => Box::new(GitHub { project }),
            Kind::GitLab => Box::new(GitLab { project }),
        }
    }

    /// What a request is called there.
    pub fn noun(&self) -> &'static str {
        match self.place.kind {
            Kind::GitHub => "pull request",
            Kind::GitLab => "merge request",
        }
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
