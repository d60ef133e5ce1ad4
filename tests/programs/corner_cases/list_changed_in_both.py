"""Each branch changes the list its own way; the other name of the list sees it."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def list_changed_in_both(x):
    values = [x]
    other = values
    if x > 0:
        values += [x * 2]
    else:
        values.append(-x)
    return other[0], other[1], len(other), other is values
