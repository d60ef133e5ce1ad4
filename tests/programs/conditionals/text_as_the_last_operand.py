"""The last operand of `or` is a text: as a condition it counts as true, or false if it is empty."""

STAGES = ("cond",)
CASES = [(0,), (3,)]
ALWAYS = {'if x or "none":': "the text is true"}


def text_as_the_last_operand(x):
    if x or "none":
        x += 1
    if x - 1 and "some":
        x += 10
    if x - 1 or "":
        x += 100
    return x
