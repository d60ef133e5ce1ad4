"""A coroutine that is driven by hand: guards and branches around its `await`."""

STAGES = ("cond",)
CASES = [(3, 1), (-3, 1), (3, None)]
STATIC = (1,)


async def scaled(x, factor):
    return x * factor


async def work(x, factor):
    if factor is None:
        return x
    y = await scaled(x, factor + 1)
    if y > 0:
        return y
    return -y


def coroutine_by_hand(x, factor):
    try:
        work(x, factor).send(None)
    except StopIteration as stop:
        return stop.value
