"""The dict that `max` chooses by a tensor is read, and changed where nobody sees the list."""

STAGES = ()
CASES = [(1,), (-1,)]


def best_dict_is_read(n):
    found = [{"k": 1, "v": 5}, {"k": 2, "v": 7}]
    worst = min(found, key=lambda each: each["k"] * n)
    total = worst["v"] + found[0]["v"]
    best = max(found, key=lambda each: each["k"] * n)
    best["seen"] = total
    return best
