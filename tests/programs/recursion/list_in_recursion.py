"""Every call passes one list on and appends to it on the way back."""

STAGES = ("cond", "recursion")
CASES = [(6,), (1,)]


def list_in_recursion(n):
    found = [n * 0]
    collect(n, found)
    return sum(found), len(found)


def collect(n, found):
    if n > 0:
        collect(n // 2, found)
        found.append(n)
