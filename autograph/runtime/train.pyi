from runtime.train import *
