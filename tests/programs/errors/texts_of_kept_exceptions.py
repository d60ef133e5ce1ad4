"""The texts of exceptions that were caught and kept in a list."""

STAGES = ("try_except", "cond", "while_loop")
CASES = [(3,), (1,), (0,)]


def texts_of_kept_exceptions(x):
    errors = []
    for i in range(3):
        try:
            if x > i:
                raise ValueError(f"bad {i}")
        except ValueError as error:
            errors.append(error)
    return len([str(each) for each in errors]), " ".join([f"{each}" for each in errors])
