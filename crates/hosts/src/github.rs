//! GitHub's REST API, as github.com and GitHub Enterprise Server speak it.

use crate::call::{Call, Method, encoded};
use crate::host::{
    Comment, GRAPH, Issue, Level, REPORT, Report, Request, RequestState, RequestText, Shade,
    Shapes, State, text,
};
use crate::review::{Review, Stand};
use serde_json::{Value, json};

pub(crate) struct GitHub {
    pub(crate) project: String,
}

/// As many annotations are taken in one call.
const REMARKS: usize = 50;

impl GitHub {
    fn at(&self, below: &str) -> String {
        format!("repos/{}/{below}", self.project)
    }
}

impl Shapes for GitHub {
    fn requests(&self, from: &str, onto: &str) -> Call {
        let owner = self.project.split('/').next().unwrap_or_default();
        let head = encoded(&format!("{owner}:{from}"));
        Call::get(
            self.at(&format!("pulls?state=open&per_page=100&head={head}&base={}", encoded(onto))),
        )
    }

    fn request(&self, number: u64) -> Call {
        Call::get(self.at(&format!("pulls/{number}")))
    }

    fn read_request(&self, value: &Value) -> Option<Request> {
        let merged = !value["merged_at"].is_null();
        Some(Request {
            number: value["number"].as_u64()?,
            url: text(&value["html_url"]),
            title: text(&value["title"]),
            body: text(&value["body"]),
            from: text(&value["head"]["ref"]),
            onto: text(&value["base"]["ref"]),
            head: text(&value["head"]["sha"]),
            author: text(&value["user"]["login"]),
            state: match value["state"].as_str() {
                _ if merged => RequestState::Merged,
                Some("open") => RequestState::Open,
                _ => RequestState::Closed,
            },
            shade: if value["draft"] == true { Shade::Draft } else { Shade::Ready },
            node: text(&value["node_id"]),
            merged_by: value["merged_by"]["login"].as_str().map(str::to_owned),
        })
    }

    fn open(&self, wanted: &RequestText) -> Call {
        let draft = wanted.shade == Shade::Draft;
        let body = json!({"title": wanted.title, "body": wanted.body, "head": wanted.from, "base": wanted.onto, "draft": draft});
        Call::send(Method::Post, self.at("pulls"), body)
    }

    fn change(&self, number: u64, wanted: &RequestText) -> Call {
        let body = json!({"title": wanted.title, "body": wanted.body});
        Call::send(Method::Patch, self.at(&format!("pulls/{number}")), body)
    }

    /// The one thing here that the other API alone can do.
    fn ready(&self, request: &Request) -> Call {
        let query = "mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }";
        let body = json!({"query": query, "variables": {"id": request.node}});
        Call::send(Method::Post, GRAPH, body)
    }

    fn comments(&self, number: u64) -> Call {
        Call::get(self.at(&format!("issues/{number}/comments?per_page=100")))
    }

    fn read_comment(&self, value: &Value) -> Option<Comment> {
        Some(Comment {
            id: value["id"].as_u64()?,
            author: text(&value["user"]["login"]),
            body: text(&value["body"]),
            created: text(&value["created_at"]),
            updated: text(&value["updated_at"]),
        })
    }

    fn write_comment(&self, number: u64, body: &str) -> Call {
        Call::send(
            Method::Post,
            self.at(&format!("issues/{number}/comments")),
            json!({"body": body}),
        )
    }

    fn change_comment(&self, _: u64, id: u64, body: &str) -> Call {
        Call::send(Method::Patch, self.at(&format!("issues/comments/{id}")), json!({"body": body}))
    }

    fn myself(&self) -> Call {
        Call::get("user")
    }

    fn read_user(&self, value: &Value) -> Option<String> {
        value["login"].as_str().map(str::to_owned)
    }

    fn reviews(&self, number: u64) -> Call {
        Call::get(self.at(&format!("pulls/{number}/reviews?per_page=100")))
    }

    fn read_reviews(&self, rows: &[Value]) -> Vec<Review> {
        let review = |row: &Value| {
            let stand = match row["state"].as_str()? {
                "APPROVED" => Stand::Approves,
                "CHANGES_REQUESTED" => Stand::Objects,
                "DISMISSED" => Stand::Nothing,
                // A remark is no decision, and takes none back.
                _ => return None,
            };
            (row["user"]["type"] != "Bot").then(|| Review {
                by: text(&row["user"]["login"]),
                stand,
                commit: row["commit_id"].as_str().map(str::to_owned),
                at: text(&row["submitted_at"]),
                words: text(&row["body"]),
            })
        };
        rows.iter().filter_map(review).collect()
    }

    fn pushes(&self, _: u64) -> Option<Call> {
        None
    }

    fn read_pushed(&self, _: &[Value], _: &str) -> Option<String> {
        None
    }

    fn rights(&self, user: &str) -> Call {
        Call::get(self.at(&format!("collaborators/{}/permission", encoded(user))))
    }

    fn may_merge(&self, value: &Value, user: &str) -> bool {
        let same =
            value["user"]["login"].as_str().is_none_or(|login| login.eq_ignore_ascii_case(user));
        same && matches!(value["permission"].as_str(), Some("admin" | "write" | "maintain"))
    }

    fn reports(&self, commit: &str) -> Call {
        Call::get(self.at(&format!(
            "commits/{}/check-runs?check_name={REPORT}&filter=latest&per_page=100",
            encoded(commit)
        )))
    }

    fn read_reports(&self, value: &Value) -> Vec<(u64, String)> {
        let rows = value["check_runs"].as_array().into_iter().flatten();
        rows.filter(|row| row["name"] == REPORT)
            .filter_map(|row| Some((row["id"].as_u64()?, text(&row["external_id"]))))
            .collect()
    }

    /// The first call makes or changes it, the others add the annotations that did not fit.
    fn report(&self, report: &Report, existing: Option<u64>) -> Vec<Call> {
        let remarks: Vec<Value> = report
            .remarks
            .iter()
            .map(|remark| {
                let level = match remark.level {
                    Level::Warning => "warning",
                    Level::Failure => "failure",
                };
                json!({"path": remark.path, "start_line": remark.line, "end_line": remark.line, "annotation_level": level, "title": remark.title, "message": remark.text})
            })
            .collect();
        let (first, _) = remarks.split_at(remarks.len().min(REMARKS));
        let mut body = json!({
            "name": REPORT,
            "external_id": report.key,
            "output": {"title": report.title, "summary": report.summary, "annotations": first},
        });
        match report.state {
            State::Pending => body["status"] = json!("in_progress"),
            State::Passed | State::Failed | State::Waits => {
                body["status"] = json!("completed");
                // What is neutral would let a required check pass.
                body["conclusion"] = json!(match report.state {
                    State::Passed => "success",
                    State::Waits => "action_required",
                    State::Failed | State::Pending => "failure",
                });
            }
        }
        if let Some(link) = &report.link {
            body["details_url"] = json!(link);
        }
        if let Some(id) = existing {
            return vec![Call::send(Method::Patch, self.at(&format!("check-runs/{id}")), body)];
        }
        body["head_sha"] = json!(report.commit);
        vec![Call::send(Method::Post, self.at("check-runs"), body)]
    }

    /// The check run is all there is.
    fn outside(&self, _: u64) -> Option<Call> {
        None
    }

    fn read_outside(&self, _: &[Value]) -> Option<u64> {
        None
    }

    fn answer_outside(&self, number: u64, _: u64, _: (&str, State)) -> Call {
        self.request(number)
    }

    fn issue(&self, number: u64) -> Call {
        Call::get(self.at(&format!("issues/{number}")))
    }

    fn read_issue(&self, value: &Value) -> Option<Issue> {
        Some(Issue {
            number: value["number"].as_u64()?,
            title: text(&value["title"]),
            body: text(&value["body"]),
            url: text(&value["html_url"]),
        })
    }
}
