"""Items in groups of three: by the last group, or by one that is put in when it is full."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (2,), (5,), (7,)]


def groups_of_three(n):
    groups, full, group = [], [], None
    for i in range(n):
        if not groups or i % 3 == 0:
            groups.append([i])
        else:
            groups[-1].append(i)
        group = [i] if group is None else [*group, i]
        if len(group) == 3:
            full.append(group)
            group = None
    return groups, full, group
