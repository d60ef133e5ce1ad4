"""`__len__`, `__contains__` and `__iter__` of a class are about a list that grows."""

STAGES = ("while_loop", "cond")
ALWAYS = {"return total": "the loop leaves one at most"}
CASES = [(4,), (0,), (1,), (2,)]


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        return item in self.items

    def __iter__(self):
        return iter(self.items)


def stack_with_a_length(n):
    stack = Stack()
    for i in range(n):
        stack.push(i * i)
    total = sum(stack)
    if 4 in stack:
        total += 100
    while stack and len(stack) > 1:
        total = total * 2 + stack.items.pop()
    return total, not stack, [item + 1 for item in stack]
