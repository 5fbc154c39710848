mod builder;

pub use builder::RequestBuilder;

/// A request.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Request {
    pub path: String,
    pub headers: Vec<(String, String)>,
}

impl Request {
    /// Begins one.
    pub fn builder(path: impl Into<String>) -> RequestBuilder {
        RequestBuilder::new(path.into())
    }
}
