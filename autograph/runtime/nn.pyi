from runtime.nn import *
