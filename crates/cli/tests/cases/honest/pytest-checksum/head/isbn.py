def is_valid(text):
    if len(text) != 13 or not text.isdigit():
        return False
    weights = [1, 3] * 6 + [1]
    return sum(int(digit) * weight for digit, weight in zip(text, weights)) % 10 == 0
