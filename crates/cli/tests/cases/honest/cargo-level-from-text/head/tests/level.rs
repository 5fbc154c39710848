use x::Level;

#[test]
fn levels_are_read() {
    assert_eq!("low".parse(), Ok(Level::Low));
    assert_eq!("high".parse(), Ok(Level::High));
}

#[test]
fn another_word_is_no_level() {
    assert!("medium".parse::<Level>().is_err());
}
