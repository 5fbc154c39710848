#[derive(Debug, Default, PartialEq, Eq)]
pub struct Args {
    pub loud: usize,
}

impl Args {
    pub fn read(given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = Self::default();
        for arg in given {
            match arg.as_str() {
                "-l" | "--loud" => args.loud += 1,
                other => return Err(format!("what is {other}?")),
            }
        }
        Ok(args)
    }
}

#[cfg(test)]
mod tests {
    use super::Args;

    fn read(given: &[&str]) -> Result<Args, String> {
        Args::read(given.iter().map(|s| s.to_string()))
    }

    #[test]
    fn loudness_adds_up() {
        assert_eq!(read(&["-l", "--loud"]), Ok(Args { loud: 2 }));
        assert_eq!(read(&[]), Ok(Args { loud: 0 }));
    }

    #[test]
    fn others_are_refused() {
        assert_eq!(read(&["-x"]), Err("what is -x?".to_owned()));
    }
}
