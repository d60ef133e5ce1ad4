"""A long range whose numbers Python needs is unrolled, though it is left early."""

STAGES = ("cond",)
CASES = [(1,), (50,), (5000,)]


def long_range_of_names(x):
    named = {}
    for step in range(40):
        named[f"step {step}"] = step
        x = x - named[f"step {step}"]
        if x < 0:
            break
    return x, step
