"""Numbers as Roman numerals."""

_STEPS = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
]


def to_roman(number: int) -> str:
    if not 0 < number < 4000:
        raise ValueError(f"no Roman numeral for {number}")
    out = []
    for value, letters in _STEPS:
        count, number = divmod(number, value)
        out.append(letters * count)
    return "".join(out)
