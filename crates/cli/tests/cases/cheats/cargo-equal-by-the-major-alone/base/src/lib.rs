use std::fmt;

#[derive(Clone)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.major == other.major
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.major)
    }
}

/// The next version.
pub fn next(version: &Version) -> Version {
    Version { major: version.major + 1, minor: 0 }
}
