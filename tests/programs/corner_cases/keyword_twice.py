"""A keyword given twice, too few arguments and an uncallable value raise Python's own errors."""

PYTHON_ONLY = "exceptions"
CASES = [("twice",), ("few",), ("unknown",), ("number",), ("mapping",), ("star",)]


def take(a, *, k=0):
    return a, k


def keyword_twice(kind):
    log = []

    def seen(v):
        log.append(v)
        return v

    try:
        if kind == "twice":
            take(seen(1), k=seen(2), **seen({"k": 3}))
        elif kind == "few":
            take(k=seen(4))
        elif kind == "unknown":
            take(seen(5), other=seen(6))
        elif kind == "number":
            seen(7)(seen(8))
        elif kind == "mapping":
            take(seen(9), **seen(10))
        take(*seen(11))
    except TypeError as error:
        return str(error), log
