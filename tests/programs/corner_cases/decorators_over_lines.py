"""A decorator spread over lines, and one that is a lambda, stand above a converted function."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def tagged(*names, **more):
    return lambda f: f


@tagged(
    "a",
    b=[
        lambda x: x,
    ],
)
@(lambda f: f)
def decorators_over_lines(
    x,
):
    if x > 0:
        return x
    return -x
