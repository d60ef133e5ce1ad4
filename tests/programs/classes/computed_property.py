"""A temperature stored in one unit and assigned in another."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (1,)]


class Temperature:
    def __init__(self):
        self.celsius = 20

    @property
    def kelvin(self):
        return self.celsius + 273

    @kelvin.setter
    def kelvin(self, value):
        self.celsius = value - 273


def computed_property(x):
    room = Temperature()
    if x > 0:
        room.kelvin = 300
    while x > 0:
        room.kelvin += x
        x = x - 1
    return room.celsius, room.kelvin
