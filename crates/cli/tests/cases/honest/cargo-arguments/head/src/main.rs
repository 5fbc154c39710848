mod args;

fn main() {
    match args::Args::read(std::env::args().skip(1)) {
        Ok(args) => println!("hello{}", "!".repeat(args.loud)),
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(2);
        }
    }
}
