from fractions import Fraction


def share(part, whole):
    return Fraction(part, whole + 1)
