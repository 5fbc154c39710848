class Log:
    def __init__(self):
        self.lines = []

    def write(self, line):
        self.lines.extend(line.splitlines())
