use shop::price;

#[test]
fn pieces_are_multiplied() {
    let got = price(3, 2);
    println!("{got}");
}
