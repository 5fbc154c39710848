use duration::seconds;

#[test]
fn a_plain_number() -> Result<(), String> {
    assert_eq!(seconds("40")?, 40);
    Ok(())
}
