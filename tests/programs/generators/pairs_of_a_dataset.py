"""A generator that iterates over a dataset, and yields inside of its loop."""

import runtime as rt

STAGES = ("while_loop", "cond")
CASES = [(2,), (0,), (9,)]
ALWAYS = {
    "for a, b in": "the dataset has four elements",
    "for number, (a, _) in": "and two of them are taken",
}

numbers = rt.data.Dataset.from_tensor_slices(([1, 2, 3, 4], [10, 20, 30, 40]))


def pairs(dataset, limit):
    for a, b in dataset:
        if a > limit:
            yield a, b
        else:
            yield b, a


def pairs_of_a_dataset(n):
    total = 0
    for a, b in pairs(numbers, n):
        total = total * 2 + a - b
    for number, (a, _) in enumerate(pairs(numbers.take(2), n)):
        total += number * a
    return total
