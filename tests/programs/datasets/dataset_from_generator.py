"""A dataset of a Python generator, which each loop over the dataset starts again."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(9,), (0,), (100,)]


def triangular():
    total = 0
    for step in range(1, 6):
        total += step
        yield total


def dataset_from_generator(limit):
    numbers = rt.data.Dataset.from_generator(
        triangular, output_signature=rt.TensorSpec((), rt.int32)
    )
    below = 0
    for number in numbers:
        if number > limit:
            break
        below += 1
    return below, sum(number for number in numbers)
