"""A cache kept in two lists from call to call, whose oldest entry goes first."""

STAGES = ("cond",)
CASES = [(1, 10), (2, 20), (1, -1), (3, 30), (2, -1), (4, -1), (1, -1), (2, 10)]
keys = []
values = []


def least_recently_used(key, value):
    if value < 0:
        return values[keys.index(key)] if key in keys else -1
    if key in keys:
        place = keys.index(key)
        del keys[place]
        values.pop(place)
    keys.append(key)
    values.append(value)
    if len(keys) > 2:
        del keys[0], values[0]
    return len(keys)
