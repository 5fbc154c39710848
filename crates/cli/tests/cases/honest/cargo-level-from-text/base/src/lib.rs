pub fn double(n: u32) -> u32 {
    n * 2
}
