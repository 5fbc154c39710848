use super::chunks;

#[test]
fn even_pieces() {
    assert_eq!(chunks(&[1, 2, 3, 4], 2), [[1, 2], [3, 4]]);
}

#[test]
fn the_last_piece_may_be_shorter() {
    assert_eq!(chunks(&[1, 2, 3], 2), [&[1, 2][..], &[3]]);
}
