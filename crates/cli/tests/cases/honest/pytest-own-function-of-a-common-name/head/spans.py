def show(seconds):
    return f"{seconds // 60}m{seconds % 60}s"


def parse(text):
    minutes, seconds = text.rstrip("s").split("m")
    return int(minutes) * 60 + int(seconds)
