"""Recursive descent over tokens: -1 opens, -2 closes, -3 adds, -4 multiplies, -5 ends."""

STAGES = ("cond", "while_loop", "recursion")
CASES = [([1, -3, 2, -3, 3, -4, 4, -4, 2, -5],), ([-1, 1, -3, 2, -2, -4, 3, -5],)]


def expression_parser(tokens):
    return added(tokens, 0)[0]


def added(tokens, at):
    value, at = multiplied(tokens, at)
    while tokens[at] == -3:
        other, at = multiplied(tokens, at + 1)
        value = value + other
    return value, at


def multiplied(tokens, at):
    value, at = single(tokens, at)
    while tokens[at] == -4:
        other, at = single(tokens, at + 1)
        value = value * other
    return value, at


def single(tokens, at):
    if tokens[at] == -1:
        value, at = added(tokens, at + 1)
        return value, at + 1
    return tokens[at], at + 1
