"""The object that `max` chooses by a key is one of those given: a change of it shows there."""

STAGES = ("cond",)
CASES = [(3, 1), (0, 5), (2, 2)]


class Account:
    def __init__(self, name, balance):
        self.name = name
        self.balance = balance


def heaviest_of_objects(x, y):
    accounts = [Account("first", x), Account("second", y), Account("third", 2)]
    richest = max(accounts, key=lambda account: account.balance)
    richest.balance -= 1
    accounts.sort(key=lambda account: account.balance)
    return [account.balance for account in accounts], accounts[0].name, richest.name
