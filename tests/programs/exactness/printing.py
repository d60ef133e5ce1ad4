"""The output of a function, in the order in which it prints."""

PYTHON_ONLY = "prints"
CASES = [(3,), (0,)]


def printing(n):
    print("start", n, sep=": ")
    for i in range(n):
        if i == 1:
            print("one", end="; ")
            continue
        print(i)
    print("end")
