"""Which class an exception is of, and so which handler is the one, is known when the graph runs."""

STAGES = ("try_except", "cond")
CASES = [(7,), (0,), (3,)]


def exception_class_chosen(n):
    kind = ValueError if n > 5 else KeyError
    try:
        if n != 3:
            raise kind("x")
    except LookupError as error:
        return 1 if isinstance(error, KeyError) else 2
    except ValueError as error:
        return 3 if type(error) is ValueError else 4
    return 0
