from runtime.sets import *
