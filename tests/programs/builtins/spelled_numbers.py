"""`bin`, `hex`, `oct` and `chr` of numbers that only a run knows."""

STAGES = ("try_except",)
CASES = [(97,), (-5,), (0,), (1114112,)]


def spelled_numbers(n):
    try:
        letter = chr(n % 100 if n < 1000 else n)
    except ValueError as error:
        letter = str(error)
    return bin(n), hex(int(n)), oct(n + 1), letter
