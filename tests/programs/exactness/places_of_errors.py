"""An error is at the line and the columns of the expression that fails."""

import itertools

PYTHON_ONLY = "tracebacks"
CASES = [(0,), (1,), (2,)]


def failing(n, xs):
    if n == 0:
        xs[1] = 2
    if n == 1:
        if n():
            pass
    count += 1


def places_of_errors(n):
    try:
        failing(n, [])
    except Exception as error:
        entry = error.__traceback__.tb_next
        code, line = entry.tb_frame.f_code, entry.tb_lineno
        places = getattr(code, "co_positions", lambda: [])()
        place = next(itertools.islice(places, entry.tb_lasti // 2, None), (0, 0, 0, 0))
        known = ((8, 13), (11, 14), (4, 9), (0, 0))
        return type(error).__name__, line - code.co_firstlineno, place[2:] in known
