"""An object that can be called counts its calls in a loop of the graph."""

STAGES = ("while_loop",)
CASES = [(1,), (2,), (50,), (9,)]


class Layer:
    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls = self.calls + 1
        return x + self.calls


def callable_object_counts(x):
    layer = Layer()
    while x < 10:
        x = layer(x)
    return x
