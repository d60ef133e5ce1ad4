"""A memo in two lists: a loop over both that may return early, and then both grow."""

from types import SimpleNamespace

STAGES = ("cond",)
CASES = [(5, [1, 4]), (4, [1, 4]), (3, [1]), (3, [])]


def looked_up_in_two_lists(n, known):
    memo = SimpleNamespace(keys=list(known), squares=[key * key for key in known])
    for key, square in zip(memo.keys, memo.squares):
        if key == n:
            return square, len(memo.keys)
    memo.keys.append(n)
    memo.squares.append(n * n)
    return memo.squares[-1], len(memo.keys)
