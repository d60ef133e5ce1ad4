"""An exception raised from another one, in a helper: both arrive, with their values."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def checked(x):
    if x < 0:
        try:
            raise KeyError("sign", x)
        except KeyError as error:
            raise ValueError("negative", x) from error
    return x


def raise_from_another(x):
    return checked(x) * 2
