"""An exception is raised with an optional text, a list that grew, and one of two texts."""

STAGES = ("cond",)
CASES = [(3,), (1,), (0,), (-4,), (-3,)]


def arguments_chosen_by_the_run(n):
    message, seen = None, ["start"]
    if n > 1:
        message = "large"
        seen.append("more")
    if n > 0:
        raise RuntimeError(message, seen)
    if n < -2:
        raise LookupError("deep" if n < -3 else "shallow")
    return n
