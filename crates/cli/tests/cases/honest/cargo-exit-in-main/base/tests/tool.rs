use tool::run;

#[test]
fn words_are_printed() {
    assert_eq!(run(&["a".to_owned(), "b".to_owned()]), (0, "a b".to_owned()));
}
