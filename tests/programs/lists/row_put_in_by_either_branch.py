"""Each branch puts a row into a list as it is there; one of them changes it before."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (3,)]


def row_put_in_by_either_branch(n):
    small, large, longest = [], [], 0
    for i in range(n):
        row = [i]
        if i > 1:
            row.append(n)
            large.append(row)
        else:
            small.append(row)
        longest = max(longest, len(row))
    return longest, len(small), len(large)
