from runtime.math import *
