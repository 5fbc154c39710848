//! The shapes of code hosts: which request asks for what, and what an answer means. GitHub and GitLab, also self-hosted. Pure:
//! it sends nothing, waits for nothing, holds no token, and never takes what a host says about tests.

pub mod answer;
pub mod call;
mod github;
mod gitlab;
pub mod host;
pub mod issue;
pub mod marked;
pub mod place;
pub mod review;

pub use answer::{Answer, Meaning};
pub use call::{Call, Method};
pub use host::{
    Comment, Host, Issue, Level, Remark, Report, Request, RequestState, RequestText, Shade, State,
};
pub use place::{Kind, Place};
