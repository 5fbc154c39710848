use roman::roman;

#[test]
fn three() {
    assert_eq!(roman(3), "III");
}

#[test]
fn up_to_forty_nine() {
    for (number, wanted) in [
        (4, "IV"),
        (5, "V"),
        (8, "VIII"),
        (9, "IX"),
        (10, "X"),
        (14, "XIV"),
        (39, "XXXIX"),
        (40, "XL"),
        (49, "XLIX"),
    ] {
        assert_eq!(roman(number), wanted, "{number}");
    }
}
