//! One request to a host's REST API, without the address of the host and without a token.

use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub method: Method,
    /// Below the API's address, without a slash in front.
    pub path: String,
    pub body: Option<Value>,
}

impl Call {
    pub fn get(path: impl Into<String>) -> Self {
        Self { method: Method::Get, path: path.into(), body: None }
    }

    pub fn send(method: Method, path: impl Into<String>, body: Value) -> Self {
        Self { method, path: path.into(), body: Some(body) }
    }
}

/// A part of a path or a query, with everything encoded that could mean something there.
pub fn encoded(text: &str) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
