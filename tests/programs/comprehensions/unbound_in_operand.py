"""An operand of `and` or of a comparison reads a variable that is bound later, or by no item."""


def unbound_in_operand(x, n):
    if n == 0:
        return [1 for k in range(2) for y in y and [x]]
    if n == 1:
        return [1 for k in range(2) for y in k + 1 and y]
    found = x > 0 and z if n == 2 else 0 < x < z
    z = x
    return found, z


STATIC = (1,)
CASES = [(-1, 2), (1, 2), (-1, 3), (1, 3), (1, 0), (1, 1)]
STAGES = ("cond",)
ALWAYS = {
    "return [1 for k in range(2) for y in y and [x]]": "the first item raises",
    "return [1 for k in range(2) for y in k + 1 and y]": "the first item raises",
}
