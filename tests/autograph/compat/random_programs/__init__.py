"""Programs that draw random numbers, written for TensorFlow; each takes the module to run with.

They return what they drew. `tools/random_numbers.py` records what TensorFlow gives, and
`test_random_numbers.py` compares.
"""

from tests.autograph.compat.random_programs import datasets as datasets
from tests.autograph.compat.random_programs import functions as functions
from tests.autograph.compat.random_programs import networks as networks
from tests.autograph.compat.random_programs.program import PROGRAMS as PROGRAMS
