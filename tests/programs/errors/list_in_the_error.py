"""The list in an exception that is caught is the one that was raised, under both of its names."""

STAGES = ("try_except",)
CASES = [(-1,), (2,), (7,)]


def list_in_the_error(x):
    rows, marks = [x], {"small": x}
    try:
        if x < 0:
            raise ValueError("negative", rows, marks)
        rows.append(1)
        if x > 5:
            raise ValueError("large", rows, marks)
    except ValueError as error:
        rows.append(7)
        error.args[2]["caught"] = 1
        return error.args[1], len(marks), error.args[1] is rows
    return rows, len(marks), True
