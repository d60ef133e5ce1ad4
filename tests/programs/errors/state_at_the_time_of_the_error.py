"""A handler finds the variables as they were when the exception was raised."""

STAGES = ("cond",)
CASES = [(5,), (0,), (-5,)]


def state_at_the_time_of_the_error(x):
    step = 0
    try:
        step = 1
        if x > 0:
            raise ValueError("positive")
        step = 2
        if x < 0:
            raise KeyError("negative")
        step = 3
    except ValueError:
        return step * 10
    except KeyError:
        return step * 100
    return step
