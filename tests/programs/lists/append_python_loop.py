"""A list grown by a Python loop: a list of tensors when `x` is one."""

STAGES = ("cond",)
CASES = [(2,), (-2,)]


def append_python_loop(x):
    products = []
    for factor in (1, 2, 3):
        products.append(x * factor if x > 0 else -factor)
    return products
