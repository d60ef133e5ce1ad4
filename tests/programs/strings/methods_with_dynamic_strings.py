"""Methods of a Python string, with strings and widths that only the run knows."""

STAGES = ("cond",)
CASES = [(3, 1), (0, 0), (-1, 2)]


def methods_with_dynamic_strings(n, k):
    letter = "a" if n > k else "z"
    width = 4 if n > k else 7
    where = "abcab".count(letter), "abc".find(letter), letter in "abc"
    framed = "x".rjust(width) + "y".ljust(width, ".") + "z".center(width) + "7".zfill(width)
    try:
        place = "abc".index(letter)
    except ValueError as error:
        place = str(error)
        return place, where, framed
    return "abc".replace("a", letter), where, framed + "-a-".strip(letter + "-")
