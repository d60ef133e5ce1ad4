from runtime.debugging import *
