SEEN = []


def note(word):
    SEEN.append(word)
    return len(SEEN)


def last():
    return SEEN[-1]
