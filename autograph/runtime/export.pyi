from runtime.export import *
