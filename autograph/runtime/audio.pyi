from runtime.audio import *
