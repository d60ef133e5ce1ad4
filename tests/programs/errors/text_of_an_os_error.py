"""An OSError reads the same whether Python or the graph raises it, with a file name or without."""

STAGES = ("cond",)
CASES = [(1,), (-1,), (9,)]


def text_of_an_os_error(x):
    if x < 0:
        raise TimeoutError("gave up")
    if x > 5:
        raise OSError(2, "no such", "file.txt")
    return x
