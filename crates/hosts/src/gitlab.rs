//! GitLab's REST API, version 4, as gitlab.com and self-managed servers speak it.

use crate::call::{Call, Method, encoded};
use crate::host::{
    Comment, Issue, REPORT, Report, Request, RequestState, RequestText, Shade, Shapes, State, text,
};
use crate::review::{Review, Stand};
use serde_json::{Value, json};

pub(crate) struct GitLab {
    pub(crate) project: String,
}

/// From which level of access on somebody may merge: a developer.
const MAY_MERGE: u64 = 30;
const DRAFT: &str = "Draft: ";

impl GitLab {
    fn at(&self, below: &str) -> String {
        format!("projects/{}/{below}", encoded(&self.project))
    }

    fn title(wanted: &RequestText) -> String {
        match wanted.shade {
            Shade::Draft => format!("{DRAFT}{}", wanted.title),
            Shade::Ready => wanted.title.clone(),
        }
    }
}

impl Shapes for GitLab {
    fn requests(&self, from: &str, onto: &str) -> Call {
        Call::get(self.at(&format!(
            "merge_requests?state=opened&per_page=100&source_branch={}&target_branch={}",
            encoded(from),
            encoded(onto)
        )))
    }

    fn request(&self, number: u64) -> Call {
        Call::get(self.at(&format!("merge_requests/{number}")))
    }

    fn read_request(&self, value: &Value) -> Option<Request> {
        let title = text(&value["title"]);
        let bare = title.strip_prefix(DRAFT).unwrap_or(&title).to_owned();
        Some(Request {
            number: value["iid"].as_u64()?,
            url: text(&value["web_url"]),
            title: bare,
            body: text(&value["description"]),
            from: text(&value["source_branch"]),
            onto: text(&value["target_branch"]),
            head: text(&value["sha"]),
            author: text(&value["author"]["username"]),
            state: match value["state"].as_str() {
                Some("opened") => RequestState::Open,
                Some("merged") => RequestState::Merged,
                _ => RequestState::Closed,
            },
            shade: if value["draft"] == true { Shade::Draft } else { Shade::Ready },
            node: String::new(),
            merged_by: ["merge_user", "merged_by"]
                .iter()
                .find_map(|name| value[*name]["username"].as_str().map(str::to_owned)),
        })
    }

    fn open(&self, wanted: &RequestText) -> Call {
        let body = json!({"title": Self::title(wanted), "description": wanted.body, "source_branch": wanted.from, "target_branch": wanted.onto});
        Call::send(Method::Post, self.at("merge_requests"), body)
    }

    fn change(&self, number: u64, wanted: &RequestText) -> Call {
        let body = json!({"title": Self::title(wanted), "description": wanted.body});
        Call::send(Method::Put, self.at(&format!("merge_requests/{number}")), body)
    }

    fn ready(&self, request: &Request) -> Call {
        let body = json!({"title": request.title});
        Call::send(Method::Put, self.at(&format!("merge_requests/{}", request.number)), body)
    }

    fn comments(&self, number: u64) -> Call {
        Call::get(self.at(&format!(
            "merge_requests/{number}/notes?per_page=100&order_by=created_at&sort=asc"
        )))
    }

    fn read_comment(&self, value: &Value) -> Option<Comment> {
        Some(Comment {
            id: value["id"].as_u64()?,
            author: text(&value["author"]["username"]),
            body: text(&value["body"]),
            created: text(&value["created_at"]),
            updated: text(&value["updated_at"]),
        })
    }

    fn write_comment(&self, number: u64, body: &str) -> Call {
        let path = self.at(&format!("merge_requests/{number}/notes"));
        Call::send(Method::Post, path, json!({"body": body}))
    }

    fn change_comment(&self, number: u64, id: u64, body: &str) -> Call {
        let path = self.at(&format!("merge_requests/{number}/notes/{id}"));
        Call::send(Method::Put, path, json!({"body": body}))
    }

    fn myself(&self) -> Call {
        Call::get("user")
    }

    fn read_user(&self, value: &Value) -> Option<String> {
        value["username"].as_str().map(str::to_owned)
    }

    fn reviews(&self, number: u64) -> Call {
        Call::get(self.at(&format!("merge_requests/{number}/approvals")))
    }

    /// GitLab does not say which commit was approved: when it was is held against when that commit came.
    fn read_reviews(&self, rows: &[Value]) -> Vec<Review> {
        let rows = rows.iter().filter_map(|value| value["approved_by"].as_array()).flatten();
        let people = rows.filter(|row| !is_bot(&text(&row["user"]["username"])));
        people
            .map(|row| Review {
                by: text(&row["user"]["username"]),
                stand: Stand::Approves,
                commit: None,
                at: text(&row["approved_at"]),
                words: String::new(),
            })
            .collect()
    }

    fn pushes(&self, number: u64) -> Option<Call> {
        Some(Call::get(self.at(&format!("merge_requests/{number}/versions?per_page=100"))))
    }

    fn read_pushed(&self, rows: &[Value], commit: &str) -> Option<String> {
        let of = rows.iter().filter(|row| row["head_commit_sha"] == commit);
        of.filter_map(|row| row["created_at"].as_str().map(str::to_owned)).max()
    }

    fn rights(&self, user: &str) -> Call {
        Call::get(self.at(&format!("members/all?per_page=100&query={}", encoded(user))))
    }

    fn may_merge(&self, value: &Value, user: &str) -> bool {
        let rows = value.as_array().into_iter().flatten();
        rows.filter(|row| row["username"] == user && row["state"] == "active")
            .any(|row| row["access_level"].as_u64().is_some_and(|level| level >= MAY_MERGE))
    }

    fn reports(&self, commit: &str) -> Call {
        Call::get(self.at(&format!(
            "repository/commits/{}/statuses?name={REPORT}&per_page=100",
            encoded(commit)
        )))
    }

    fn read_reports(&self, value: &Value) -> Vec<(u64, String)> {
        let rows = value.as_array().into_iter().flatten();
        rows.filter(|row| row["name"] == REPORT)
            .filter_map(|row| Some((row["id"].as_u64()?, text(&row["description"]))))
            .collect()
    }

    /// A status with the same name takes the place of the one before.
    fn report(&self, report: &Report, _: Option<u64>) -> Vec<Call> {
        let state = match report.state {
            State::Pending => "running",
            State::Passed => "success",
            State::Failed | State::Waits => "failed",
        };
        let mut body = json!({"state": state, "name": REPORT, "description": short(&report.title)});
        if let Some(link) = &report.link {
            body["target_url"] = json!(link);
        }
        vec![Call::send(Method::Post, self.at(&format!("statuses/{}", report.commit)), body)]
    }

    fn outside(&self, number: u64) -> Option<Call> {
        Some(Call::get(self.at(&format!("merge_requests/{number}/status_checks?per_page=100"))))
    }

    fn read_outside(&self, rows: &[Value]) -> Option<u64> {
        rows.iter().find(|row| row["name"] == REPORT).and_then(|row| row["id"].as_u64())
    }

    fn answer_outside(&self, number: u64, check: u64, (commit, state): (&str, State)) -> Call {
        let status = match state {
            State::Pending => "pending",
            State::Passed => "passed",
            State::Failed | State::Waits => "failed",
        };
        let body = json!({"sha": commit, "external_status_check_id": check, "status": status});
        let path = self.at(&format!("merge_requests/{number}/status_check_responses"));
        Call::send(Method::Post, path, body)
    }

    fn issue(&self, number: u64) -> Call {
        Call::get(self.at(&format!("issues/{number}")))
    }

    fn read_issue(&self, value: &Value) -> Option<Issue> {
        Some(Issue {
            number: value["iid"].as_u64()?,
            title: text(&value["title"]),
            body: text(&value["description"]),
            url: text(&value["web_url"]),
        })
    }
}

/// Users that stand for a token of a project or a group.
fn is_bot(name: &str) -> bool {
    let rest = name.strip_prefix("project_").or_else(|| name.strip_prefix("group_"));
    rest.and_then(|rest| rest.split_once("_bot")).is_some_and(|(number, _)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// GitLab takes 255 characters.
fn short(text: &str) -> String {
    text.chars().take(250).collect()
}
