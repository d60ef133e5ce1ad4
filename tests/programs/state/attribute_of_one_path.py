"""An attribute that only one path makes, asked for with hasattr and getattr."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Model:
    def step(self, x):
        if x > 0:
            self.best = x


def attribute_of_one_path(x):
    model = Model()
    model.step(x)
    return hasattr(model, "best"), getattr(model, "best", -1)
