"""Every part of a `try` runs when Python would run it: body, handler or `else`, end."""

STAGES = ("cond",)
CASES = [(0,), (1,), (2,), (3,)]


def else_and_finally(x):
    path = 0
    try:
        try:
            path += 1
            if x > 0:
                raise KeyError(x)
        except KeyError:
            path += 10
            if x > 1:
                raise
        else:
            path += 100
        finally:
            path += 1000
            if x > 2:
                raise ValueError("at the end")
    except LookupError:
        path += 10000
    except ValueError:
        path += 20000
    return path
