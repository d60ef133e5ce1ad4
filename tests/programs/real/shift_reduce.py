"""An evaluator of arithmetic over a tensor of tokens: operators wait on a stack for their operands.

A token is a kind and a value, which only numbers have. A text ends with `END`; what stands behind
it is not looked at. What is no expression raises `Malformed` with the position of the token.
"""

NO_GRAPH = "it is long"
STAGES = ("while_loop", "cond")


class Kind:
    NUMBER, PLUS, MINUS, TIMES, OVER, POWER, NEGATE, OPEN, CLOSE, END = range(10)


precedence = (0, 1, 1, 2, 2, 4, 3, 0, 0, 0)


class Malformed(Exception):
    """The fault of a text that is no expression, and the position of its token."""

    def __init__(self, reason, position):
        super().__init__(reason, position)
        self.position = position


def power(base, exponent, position):
    """`base ** exponent` by squaring."""
    if exponent < 0:
        raise Malformed("a negative power", position)
    result = 1
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base
        base = base * base
        exponent = exponent // 2
    return result


class Evaluator:
    """Two stacks: numbers that are ready, operators that wait with the positions they came from."""

    def __init__(self, kinds, values):
        self.kinds = kinds
        self.values = values
        self.numbers = []
        self.waiting = []

    def reduce(self):
        """Take the topmost operator and its operands, and put back the result."""
        operator, position = self.waiting.pop()
        right = self.numbers.pop()
        if operator == Kind.NEGATE:
            self.numbers.append(-right)
            return
        left = self.numbers.pop()
        match operator:
            case Kind.PLUS:
                result = left + right
            case Kind.MINUS:
                result = left - right
            case Kind.TIMES:
                result = left * right
            case Kind.OVER:
                if right == 0:
                    raise Malformed("division by zero", position)
                result = left // right
            case _:
                result = power(left, right, position)
        self.numbers.append(result)

    def shift(self, operator, position):
        """Put an operator on the stack, after those before it that bind as tightly."""
        level = precedence[operator]
        while self.waiting:
            above = precedence[self.waiting[-1][0]]
            if above < level or (above == level and operator == Kind.POWER):
                break
            self.reduce()
        self.waiting.append((operator, position))

    def close(self, position):
        """Reduce down to the parenthesis that is open, and take it off the stack."""
        while self.waiting:
            if self.waiting[-1][0] == Kind.OPEN:
                self.waiting.pop()
                return
            self.reduce()
        raise Malformed("nothing to close", position)

    def finish(self):
        """Reduce the operators that are left; a parenthesis among them was never closed."""
        while self.waiting:
            operator, position = self.waiting[-1]
            if operator == Kind.OPEN:
                raise Malformed("never closed", position)
            self.reduce()
        return self.numbers.pop()

    def run(self):
        """Go through the tokens; an operand is wanted at first, then an operator."""
        position = 0
        operand = True
        while True:
            kind = self.kinds[position]
            if operand:
                if kind == Kind.NUMBER:
                    self.numbers.append(self.values[position])
                    operand = False
                elif kind == Kind.MINUS:
                    self.waiting.append((Kind.NEGATE, position))
                elif kind == Kind.OPEN:
                    self.waiting.append((kind, position))
                else:
                    raise Malformed("an operand is missing", position)
            elif kind == Kind.END:
                return self.finish()
            elif kind == Kind.CLOSE:
                self.close(position)
            elif Kind.PLUS <= kind <= Kind.POWER:
                self.shift(kind, position)
                operand = True
            else:
                raise Malformed("an operator is missing", position)
            position += 1


def shift_reduce(kinds, values):
    return Evaluator(kinds, values).run()


def tokens(text):
    """A text of one-digit numbers and operators as the two lists, filled up to sixteen tokens."""
    signs = "+-*/^_()"
    kinds = [0 if sign.isdigit() else 1 + signs.index(sign) for sign in text] + [Kind.END]
    values = [int(sign) if sign.isdigit() else 0 for sign in text]
    return kinds + [Kind.END] * (16 - len(kinds)), values + [0] * (16 - len(values))


CASES = [
    tokens("1+2*3"),
    tokens("(1+2)*3-4/(5-3)"),
    tokens("2^3^2/7"),
    tokens("-2^2*-(3-5)"),
    tokens("7"),
    tokens("1+*2"),
    tokens("(1+2"),
    tokens("1+2)"),
    tokens("4/(2-2)"),
    tokens("2^-1"),
    tokens("3(4)"),
    tokens(""),
    tokens("2^0"),
    tokens("2^1"),
    tokens("1)"),
]
