"""Generators that append to the list, or deque, that they pop from until it is empty."""

from collections import deque

STAGES = ("cond", "while_loop")
CASES = [(4,), (1,), (0,), (6,)]
ALWAYS = dict.fromkeys(("while stack:", "while queue:", "for v in"), "there is an item")


def downwards(n):
    stack = [n]
    while stack:
        k = stack.pop()
        yield k
        if k > 1:
            stack.append(k - 1)


def in_order(n):
    queue = deque([n])
    while queue:
        k = queue.popleft()
        yield k
        if k > 2:
            queue.append(k - 2)
            queue.append(k - 1)


def generator_over_its_stack(n):
    total = 0
    for v in downwards(n):
        total = total * 2 + v
    return total, list(downwards(n)), sum(in_order(n))
