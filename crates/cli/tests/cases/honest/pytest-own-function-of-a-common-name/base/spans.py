def show(seconds):
    return f"{seconds // 60}m{seconds % 60}s"
