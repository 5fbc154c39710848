/// A request.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Request {
    pub path: String,
    pub headers: Vec<(String, String)>,
}
