"""A list that grows in a loop of the graph: one element for each iteration."""

STAGES = ("while_loop",)
CASES = [([1, 2, 3],), ([4],), ([],)]


def append_in_tensor_loop(xs):
    squares = []
    for v in xs:
        squares.append(v * v)
    return squares
