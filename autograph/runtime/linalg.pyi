from runtime.linalg import *
