from runtime.typing import *
