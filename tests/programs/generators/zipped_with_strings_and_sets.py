"""A staged generator is zipped with a Python string, a dict and a set."""

STAGES = ("while_loop",)
CASES = [(0,), (3,), (9,)]


def zipped_with_strings_and_sets(n):
    def numbers():
        i = 0
        while i < n:
            yield i
            i += 1

    total = 0
    for _letter, number in zip("abc", numbers()):
        total += number
    for key, number in zip({4: "four", 5: "five"}, numbers()):
        total += key * number
    for single, number in zip({7}, numbers()):
        total += single + number
    return total
