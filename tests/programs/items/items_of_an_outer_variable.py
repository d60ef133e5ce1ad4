"""Items of a tensor in a variable of the function around."""

STAGES = ("cond",)
CASES = [([1, 2, 3], 2), ([1, 2, 3], 0)]
ARRAYS = True
STAGED_ONLY = "eager tensors cannot change"


def items_of_an_outer_variable(x, n):
    def change():
        nonlocal x
        x[0] = n
        x[1] -= 1

    if n > 1:
        change()
    return x
