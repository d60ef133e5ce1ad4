"""A loop over the items of a dictionary, with a test on a tensor in its body."""

STAGES = ("cond",)
CASES = [(2,), (5,)]


def over_dictionary(x):
    prices = {"apple": 3, "pear": 4, "plum": 1}
    affordable = 0
    for _, price in prices.items():
        if price <= x:
            affordable += price
    return affordable
