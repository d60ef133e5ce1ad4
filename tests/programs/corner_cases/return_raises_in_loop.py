"""A `return` whose value cannot be had leaves neither its loop nor its function."""

PYTHON_ONLY = "exceptions"
CASES = [([0, 0, 4],), ([5],), ([0],), ([],)]


def return_raises_in_loop(xs):
    failed = []
    for x in xs:
        try:
            try:
                return failed, 20 // x
            finally:
                failed.append(("tried", x))
        except ZeroDivisionError as error:
            failed.append(str(error))
            continue
        failed.append("never")
    return failed, None
