"""Python's messages, word by word, where a run finds no item, no number in a string, or no
value of an outer function's variable."""

STAGES = ("try_except", "cond", "while_loop")
NO_GRAPH = "the words for an unbound name are those of the running Python"
CASES = [(0,), (1,), (2,), (3,), (4,)]


def messages_of_python(n):
    def outer():
        return y

    text, grown = "zz" if n > 0 else "12", [i for i in range(n)]
    if n < 4:
        y = n
    said = []
    try:
        said.append(int(text))
    except ValueError as error:
        said.append(-1 if str(error) == "invalid literal for int() with base 10: 'zz'" else -2)
    try:
        said.append(grown.index(2))
    except ValueError as error:
        said.append(-1 if str(error) == "2 is not in list" else -2)
    try:
        said.append(outer())
    except NameError as error:
        said.append(-2 if isinstance(error, UnboundLocalError) else -1)
    return said
