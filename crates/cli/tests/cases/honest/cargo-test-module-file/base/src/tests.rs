use super::chunks;

#[test]
fn even_pieces() {
    assert_eq!(chunks(&[1, 2, 3, 4], 2), [[1, 2], [3, 4]]);
}
