mod parse;

pub use parse::split;

#[cfg(test)]
mod tests;
