"""A handler asks for the cause of an exception of the run."""

REFUSED = "StagingError"
CASES = [(3,), (7,)]


def cause_of_a_caught_exception(n):
    try:
        try:
            if n > 5:
                raise KeyError(n)
        except KeyError as error:
            raise ValueError(n) from error
    except ValueError as error:
        return error.__cause__ is None
    return True
