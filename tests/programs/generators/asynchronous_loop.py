"""`async for` with `else`, `async with` and an asynchronous comprehension, driven by hand."""

STAGES = ("cond", "cond", "cond")
CASES = [(2,), (-2,)]


class Doubled:
    async def __aenter__(self):
        return 2

    async def __aexit__(self, *error):
        return False


async def distances(x):
    for i in range(3):
        yield x - i if x > i else i - x


async def work(x):
    total = 0
    async with Doubled() as factor:
        async for distance in distances(x):
            total = total + factor * distance
        else:
            total = total + 1
    return total


def asynchronous_loop(x):
    try:
        work(x).send(None)
    except StopIteration as stop:
        return stop.value
