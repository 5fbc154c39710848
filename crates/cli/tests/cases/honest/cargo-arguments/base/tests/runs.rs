#[test]
fn runs() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_x")).output().unwrap();
    assert_eq!(out.stdout, b"hello\n");
}
