from runtime.config import *
