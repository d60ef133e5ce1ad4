"""The text of one of two objects, or of an optional value, is the text of each."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Dog:
    def __str__(self):
        return "a dog"


class Cat:
    def __init__(self, lives):
        self.lives = lives

    def __repr__(self):
        return f"a cat with {self.lives} lives"


def text_of_one_of_two_objects(x):
    pet = Dog() if x > 0 else Cat(9)
    cat = Cat(7) if x > 0 else None
    formatted = "{}, ".format(pet) + "%r" % (cat,)
    return str(pet), f"{pet!s:>24}|{cat}|{[cat]}", repr(cat), formatted
