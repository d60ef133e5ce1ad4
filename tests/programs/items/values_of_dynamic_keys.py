"""`d.get(key)` and `d[key]` where only the run knows the key."""

STAGED_ONLY = "an eager tensor is no key of a dict"
STAGES = ("cond",)
CASES = [(3,), (4,), (0,)]


def values_of_dynamic_keys(n):
    weights = {"odd": 10, "even": 20}
    known = {0: 5, 3: 7}
    chosen = "odd" if n % 2 else "neither"
    weights["odd" if n > 3 else "even"] += 1
    return weights.get(chosen, -1), known.get(n, 0), weights["even"], weights["odd"]
