use std::str::FromStr;

pub fn double(n: u32) -> u32 {
    n * 2
}

#[derive(Debug, PartialEq, Eq)]
pub enum Level {
    Low,
    High,
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "low" => Ok(Self::Low),
            "high" => Ok(Self::High),
            other => Err(format!("no level: {other}")),
        }
    }
}
