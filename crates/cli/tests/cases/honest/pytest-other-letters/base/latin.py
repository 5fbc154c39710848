def latin(text):
    return text
