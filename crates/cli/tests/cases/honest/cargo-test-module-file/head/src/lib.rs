pub fn chunks(values: &[u8], size: usize) -> Vec<&[u8]> {
    values.chunks(size).collect()
}

#[cfg(test)]
mod tests;
