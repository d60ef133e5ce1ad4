"""The two listings of the reference documents: converted code, to the letter."""

from __future__ import annotations

LISTING = """\
def tf__{name}(x):
    with ag__.FunctionScope('{name}', 'fscope', ag__.ConversionOptions(recursive=True, \
user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()

        def get_state():
            return (do_return, retval_)

        def set_state(vars_):
            nonlocal do_return, retval_
            (do_return, retval_) = vars_

        def if_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = {then}
            except:
                do_return = False
                raise

        def else_body():
            nonlocal do_return, retval_
            try:
                do_return = True
                retval_ = {orelse}
            except:
                do_return = False
                raise
        ag__.if_stmt({test}, if_body, else_body, get_state, set_state, ('do_return', 'retval_'), 2)
        return fscope.ret(retval_, do_return)
"""

SIMPLE_RELU = LISTING.format(
    name="simple_relu",
    then="ag__.ld(x)",
    orelse="0",
    test="ag__.converted_call(ag__.ld(tf).greater, (ag__.ld(x), 0), None, fscope)",
)
MY_FUNCTION = LISTING.format(
    name="my_function",
    then="(ag__.ld(x) * ag__.ld(x))",
    orelse="(ag__.ld(x) - 1)",
    test="(ag__.converted_call(ag__.ld(tf).reduce_sum, (ag__.ld(x),), None, fscope) <= 1)",
)
