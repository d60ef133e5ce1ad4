from runtime.summary import *
