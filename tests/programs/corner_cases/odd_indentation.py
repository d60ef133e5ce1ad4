"""A method of a class in a class in a branch, indented by odd numbers of blanks."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


# fmt: off
class Outer:
   if True:
          class Inner:
                def odd_indentation(self, x):
                 if x > 0:
                           return x * 2
                 return self.one_line(x)
                def one_line(self, x): return x - 1
# fmt: on


odd_indentation = Outer.Inner().odd_indentation
