"""A list of which only the graph knows the length has items of one kind."""

REFUSED = "BranchMismatch"
CASES = [(3,), (1,)]
NAMES = "'items'"


def items_of_two_kinds(n):
    items = [0]
    items.extend(enumerate(range(n)))
    for i in range(n):
        items.append(i)
    return items
