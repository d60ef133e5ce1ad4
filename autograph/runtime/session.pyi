from runtime.session import *
