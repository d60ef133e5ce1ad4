"""A traceback has the lines and names of the user's functions, and no others."""

import traceback

PYTHON_ONLY = "exceptions"
CASES = [(3,), (0,)]


def fails(x):
    for i in range(3):
        if i == 1:
            raise ValueError(x)


def lines_of_a_traceback(x):
    first = lines_of_a_traceback.__code__.co_firstlineno
    try:
        if x:
            (lambda: fails(x))()
        else:
            _ = [1 // x for _ in range(1)]
    except (ValueError, ZeroDivisionError) as error:
        frames = traceback.extract_tb(error.__traceback__)
        return [
            (frame.name, frame.lineno - first) for frame in frames if frame.name != "<listcomp>"
        ]
