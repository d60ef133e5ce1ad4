from runtime.errors import *
