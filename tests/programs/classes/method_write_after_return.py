"""A method that changes its object in an unrolled loop that a staged return may have left."""

STAGES = ("cond",)
CASES = [(5,), (4,)]


class Box:
    def __init__(self, value):
        self.value = value

    def move(self):
        self.value = self.value + 1


def method_write_after_return(a):
    box = Box(a)
    for _ in range(2):
        box.move()
        if a % 2 == 0:
            return 1
    return box.value
