from runtime.strings import *
