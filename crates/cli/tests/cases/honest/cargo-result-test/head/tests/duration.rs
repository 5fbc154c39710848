use duration::seconds;

#[test]
fn a_plain_number() -> Result<(), String> {
    assert_eq!(seconds("40")?, 40);
    Ok(())
}

#[test]
fn minutes() -> Result<(), String> {
    assert_eq!(seconds("2m")?, 120);
    Ok(())
}

#[test]
fn no_number() {
    assert_eq!(seconds("xm"), Err("xm is no number".to_owned()));
}
