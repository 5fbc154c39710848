#[derive(Debug, PartialEq)]
pub struct Name(pub String);
