use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// Reads a port.
pub fn parse(text: &str) -> Option<u16> {
    text.parse().ok()
}

/// Why an address is none.
#[derive(Debug, PartialEq, Eq)]
pub enum AddressError {
    NoPort,
    EmptyHost,
    Port(ParseIntError),
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPort => write!(f, "there is no port"),
            Self::EmptyHost => write!(f, "there is no host"),
            Self::Port(why) => write!(f, "the port is wrong: {why}"),
        }
    }
}

impl std::error::Error for AddressError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Port(why) => Some(why),
            _ => None,
        }
    }
}

impl From<ParseIntError> for AddressError {
    fn from(why: ParseIntError) -> Self {
        Self::Port(why)
    }
}

/// A host and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub host: String,
    pub port: u16,
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (host, port) = text.rsplit_once(':').ok_or(AddressError::NoPort)?;
        if host.is_empty() {
            return Err(AddressError::EmptyHost);
        }
        Ok(Self { host: host.to_owned(), port: port.parse()? })
    }
}
