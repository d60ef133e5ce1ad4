"""A class variable counted in one of two classes, of which one inherits it from the other."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def inherited_class_variable(x):
    class Account:
        opened = 0

    class Savings(Account):
        pass

    if x > 0:
        Account.opened += 1
    else:
        Savings.opened += 1
    chosen = Account if x > 1 else Savings
    chosen.opened += 10
    return Account.opened, Savings.opened
