"""`[0] * n` for an n that is known when the graph runs, as tables of dynamic programs begin."""

STAGES = ("while_loop",)
CASES = [(7,), (1,), (0,)]


def repeated_by_a_tensor(amount):
    ways = [1] + [0] * amount
    for coin in (1, 2, 5):
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways
