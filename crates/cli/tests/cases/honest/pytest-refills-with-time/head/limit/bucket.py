import time


class Bucket:
    def __init__(self, size, per_second=0, clock=time.monotonic):
        self.size = size
        self.left = size
        self._rate = per_second
        self._clock = clock
        self._last = clock()

    def _refill(self):
        now = self._clock()
        self.left = min(self.size, self.left + (now - self._last) * self._rate)
        self._last = now

    def take(self):
        self._refill()
        if self.left < 1:
            return False
        self.left -= 1
        return True
