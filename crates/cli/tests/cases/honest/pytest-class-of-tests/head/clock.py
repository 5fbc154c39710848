class Clock:
    def __init__(self, minutes):
        self.minutes = minutes

    def add(self, minutes):
        return Clock((self.minutes + minutes) % (24 * 60))

    def text(self):
        return f"{self.minutes // 60:02}:{self.minutes % 60:02}"
