use crate::Request;

/// Makes a request step by step.
#[derive(Debug)]
#[must_use]
pub struct RequestBuilder {
    path: String,
    query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
}

impl RequestBuilder {
    pub(crate) fn new(path: String) -> Self {
        Self { path, query: Vec::new(), headers: Vec::new() }
    }

    pub fn query(mut self, key: &str, value: &str) -> Self {
        self.query.push((key.to_owned(), value.to_owned()));
        self
    }

    /// A header; one of the same name is replaced.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name = name.to_ascii_lowercase();
        self.headers.retain(|(n, _)| *n != name);
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn build(self) -> Request {
        let mut path = self.path;
        for (i, (key, value)) in self.query.iter().enumerate() {
            path.push(if i == 0 { '?' } else { '&' });
            path.push_str(key);
            path.push('=');
            path.push_str(value);
        }
        Request { path, headers: self.headers }
    }
}

#[cfg(test)]
mod tests;
