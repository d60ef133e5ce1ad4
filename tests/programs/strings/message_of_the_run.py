"""The message of an exception has the values of the run, not those of the trace."""

STAGES = ("cond",)
CASES = [(3,), (-4,)]


def message_of_the_run(n):
    if n < 0:
        raise ValueError(f"{int(n)} is below zero")
    return n
