"""An object of an attrs class is changed on one path, in a loop, and by its method."""

import attrs

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (-2,), (1,), (6,)]


@attrs.define
class Account:
    balance: int
    log: list = attrs.field(factory=list)
    fee: int = 1

    def take(self, amount):
        self.balance -= amount + self.fee
        self.log.append(amount)


def attrs_class_changed(n):
    account = Account(10)
    if n > 0:
        account.fee = n
    for i in range(n):
        account.take(i)
    return account.balance, account.fee, account.log
