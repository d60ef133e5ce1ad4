"""`filter` leaves the objects themselves: a change of one is seen in the list."""


class Account:
    def __init__(self, amount):
        self.amount = amount


STAGES = ("cond",)
CASES = [(0,), (1,), (3,), (2,)]


def objects_left_by_filter(n):
    accounts = [Account(1), Account(2), Account(3)]
    for account in filter(lambda each: each.amount > n, accounts):
        account.amount += n
    first = next(filter(lambda each: each.amount > n + 3, accounts), None)
    return [each.amount for each in accounts], first is None
