"""Parts, order and truth of text that is made when the graph runs are those of Python's strings."""

STAGES = ("cond", "try_except", "while_loop")
CASES = [(1,), (-2,), (0,), (2,)]


def parts_of_text(n):
    word = "left" if n < 0 else "up"
    digits = ""
    while n > 0:
        digits = f"{n % 2:d}" + digits
        n //= 2
    try:
        third = word[2]
    except IndexError:
        third = "none"
    title = word[0].upper() + word[1:]
    return title, word[::-1], third, digits or "0", not digits, word < "right", "ab"[word > "m"]
