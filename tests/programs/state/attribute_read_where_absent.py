"""Reading an attribute that only the other path made raises AttributeError when the graph runs."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Model:
    pass


def attribute_read_where_absent(x):
    model = Model()
    if x > 0:
        model.best = x
    return model.best * 2
