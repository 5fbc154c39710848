class Bucket:
    def __init__(self, size):
        self.size = size
        self.left = size

    def take(self):
        if self.left == 0:
            return False
        self.left -= 1
        return True
