COLOURS = ['red', 'green', 'amber']


class Light:
    def __init__(self, clock):
        self.clock = clock
        self.step = 0
        self.since = clock()

    def turn(self):
        colour = COLOURS[self.step % len(COLOURS)]
        self.step += 1
        self.since = self.clock()
        return colour

    def age(self):
        return self.clock() - self.since
