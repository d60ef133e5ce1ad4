"""How many items a filtered comprehension has is known only when the graph runs."""

STAGES = ("while_loop", "cond")
CASES = [([1, 5, 7, 2], 3), ([1, 2], 3), ([9], 3), ([], 3)]


def filtered_rows(xs, least):
    large = [v * 2 for v in xs if v > least]
    return large, len(large)
