"""An attribute of an object as the state of a loop."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


class Account:
    def __init__(self, balance):
        self.balance = balance


def attribute_state(n):
    account = Account(100)
    for i in range(n):
        account.balance = account.balance + i
    return account.balance
