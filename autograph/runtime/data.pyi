from runtime.data import *
