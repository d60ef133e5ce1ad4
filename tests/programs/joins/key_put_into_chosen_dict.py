"""A new key in one of two dicts: the one that was chosen has it from then on."""

STAGES = ("cond",)
CASES = [(1,), (-1,)]


def key_put_into_chosen_dict(n):
    left, right = {"x": 1}, {"x": 2}
    chosen = left if n > 0 else right
    chosen["y"] = n
    return "y" in left, right, left["x"], chosen["y"]
