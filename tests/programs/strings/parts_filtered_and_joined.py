"""Texts are joined from a `filter`: Python texts to a Python text, and texts of tensors to one."""

STAGES = ("cond",)
CASES = [(1.0,), (-2.0,)]


def parts_filtered_and_joined(x):
    inputs = "".join(filter(None, ("a", None, "b")))
    address = {inputs: 5}["ab"]
    digits = int("".join(filter(str.isdigit, "a1b2")))
    if x > 0:
        word = "plus"
    else:
        word = "minus"
    return address, digits, " ".join(filter(None, [word, "", inputs]))
