from runtime.io import *
