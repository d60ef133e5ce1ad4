from runtime.test import *
