from runtime.random import *
