import time


class Limit:
    def __init__(self, seconds, clock=time.monotonic):
        self.seconds, self.clock, self.last = seconds, clock, None

    def allows(self):
        now = self.clock()
        if self.last is not None and now - self.last < self.seconds:
            return False
        self.last = now
        return True
