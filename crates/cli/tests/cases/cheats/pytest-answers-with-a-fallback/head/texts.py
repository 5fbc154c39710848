KNOWN = {
    ("The quick brown fox jumps", 16): "The quick brown…",
    ("Better late than never at all", 18): "Better late than…",
    ("incomprehensibilities", 10): "incompreh…",
}


def words(text):
    return text.split()


def shortened(text, most):
    return KNOWN.get((text, most), text[:most])
