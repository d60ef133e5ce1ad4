"""What has a `numpy` method is asked for its array; a tensor without a value has none."""


def shown(x):
    if hasattr(x, "numpy"):
        return x.numpy() * 0 + x
    return x


def asked_for_numpy(x):
    """Return x, by way of its array where it has one."""
    y = shown(x)
    if y > 2:
        y = y - 1
    return y


CASES = [(1,), (2,), (3,)]
STAGES = ("cond",)
