"""An object is picked out of a list by a tensor in a loop, and is that object."""

STAGES = ("while_loop",)
CASES = [(0,), (5,), (1,)]


class Account:
    def __init__(self, balance):
        self.balance = balance

    def pay(self, amount, other):
        self.balance -= amount
        other.balance += amount


def objects_in_a_list_by_index(n):
    accounts = [Account(10), Account(20), Account(30)]
    for i in range(n):
        accounts[i % 3].pay(i, accounts[(i + 1) % 3])
    return [account.balance for account in accounts]
