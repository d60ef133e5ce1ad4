"""An object that says whether it is true decides in `if`, `and`, `not` and `while`."""

STAGED_ONLY = "Python takes nothing but a bool of `__bool__`"
STAGES = ("cond", "while_loop")
ALWAYS = {"if not mine": "the loop has ended for that"}
CASES = [(3, 5), (0, 5), (3, 0), (3, 1), (7, 2)]


class Purse:
    def __init__(self, coins):
        self.coins = coins

    def __bool__(self):
        return self.coins > 0

    def __int__(self):
        return self.coins


def object_in_a_test(mine, yours):
    mine, yours = Purse(mine), Purse(yours)
    rounds = 0
    while mine and yours:
        yours.coins -= 2
        rounds += 1
    if not mine or not yours:
        rounds += 10
    return rounds, int(mine), 1 if yours else 0
