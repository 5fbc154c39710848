pub fn chunks(values: &[u8], size: usize) -> Vec<&[u8]> {
    values.chunks_exact(size).collect()
}

#[cfg(test)]
mod tests;
