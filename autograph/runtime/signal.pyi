from runtime.signal import *
