"""Lines indented by tabs in one block and by blanks in another."""
# fmt: off
# ruff: noqa: E101, W191

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def tabs_and_blanks(x):
	if x > 0:
	  y = x
	else:
			y = -x
	return y
