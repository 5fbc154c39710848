NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def name(number):
    if 0 <= number < len(NAMES):
        return NAMES[number]
    return str(number)
