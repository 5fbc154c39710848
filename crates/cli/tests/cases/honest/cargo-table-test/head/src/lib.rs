const STEPS: [(usize, &str); 7] =
    [(40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"), (0, "")];

pub fn roman(mut number: usize) -> String {
    let mut text = String::new();
    for (value, sign) in STEPS {
        while value > 0 && number >= value {
            text.push_str(sign);
            number -= value;
        }
    }
    text
}
