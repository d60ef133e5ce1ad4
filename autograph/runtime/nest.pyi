from runtime.nest import *
