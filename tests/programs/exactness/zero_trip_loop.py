"""After a loop that never ran its variable is unbound."""

PYTHON_ONLY = "an unbound variable"
CASES = [([4, 5],), ([],)]


def zero_trip_loop(xs):
    for v in xs:
        double = v * 2
    return v, double
