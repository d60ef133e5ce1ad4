from runtime.bitwise import *
