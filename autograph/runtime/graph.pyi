from runtime.graph import *
