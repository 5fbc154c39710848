fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (code, text) = tool::run(&words);
    println!("{text}");
    std::process::exit(code);
}
