"""A `while` over places of a list, from both ends; the places are Python numbers."""

STAGES = ("cond",)
CASES = [([1, 2, 3, 2, 1],), ([1, 2, 3, 9, 1],), ([4],), ([1, 2],)]


def sum_while_indexing(xs):
    left = 0
    right = len(xs) - 1
    mismatches = 0
    while left < right:
        if xs[left] != xs[right]:
            mismatches += 1
        left += 1
        right -= 1
    return mismatches
