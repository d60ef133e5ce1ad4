"""A list that is an attribute grows on one path, and has an item assigned on the other."""

STAGES = ("while_loop", "cond")
CASES = [(5,), (0,), (2,), (1,)]


class Ledger:
    def __init__(self):
        self.entries = [0]

    def book(self, amount):
        if amount > 2:
            self.entries.append(amount)
        else:
            self.entries[-1] += amount


def list_of_an_object_grows_or_is_assigned(n):
    ledger = Ledger()
    for amount in range(n):
        ledger.book(amount)
    if n > 4:
        ledger.entries[0] = -1
    elif n < 1:
        ledger.entries.clear()
    return ledger.entries
