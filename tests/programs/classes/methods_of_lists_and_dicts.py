"""Classes of lists and dicts with methods and attributes of their own, which a loop fills."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


class Stack(list):
    def __init__(self):
        self.pushed = 0

    def push(self, value):
        self.append(value)
        self.pushed += 1
        return self


class Counts(dict):
    def bump(self, key):
        self[key] = self.get(key, 0) + 1


def methods_of_lists_and_dicts(n):
    stack, counts = Stack(), Counts()
    for k in range(n):
        stack.push(k).push(-k)
        counts.bump("all")
    stack.push(7)
    counts.bump("all")
    return len(stack), stack[-1], stack.pushed, counts["all"], isinstance(stack, Stack)
