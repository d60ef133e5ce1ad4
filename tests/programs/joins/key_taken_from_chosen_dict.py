"""A key is deleted from one of two dicts: the other one keeps it."""

STAGES = ("cond",)
CASES = [(1,), (-1,)]


def key_taken_from_chosen_dict(n):
    left, right = {"x": 1, "y": 5}, {"x": 2, "y": 6}
    chosen = left if n > 0 else right
    del chosen["y"]
    return left, right, chosen
