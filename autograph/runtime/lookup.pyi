from runtime.lookup import *
