"""The natural logarithm in arithmetic alone, so that a compiled loop over it is vectorised: within one unit in the last place."""

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

# The polynomial of FreeBSD's e_log.c (Sun Microsystems 1993), known to be good to one unit in the last place.
_L1, _L2, _L3, _L4 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01
_L5, _L6, _L7 = 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_ONE = 0x3FF0000000000000
_ROOT_HALF = 0x3FE6A09E667F3BCD
_MANTISSA = 0x000FFFFFFFFFFFFF
_TWO_52 = 0x4330000000000000


def _bits(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


def _number(typing_context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


_bits_of: Any = intrinsic(_bits)
_number_of: Any = intrinsic(_number)


@njit(inline="always", error_model="numpy")
def fast_log(x: float) -> float:
    """log(x) of a normal positive number; anything else is not looked for."""
    bits = _bits_of(x) + (_ONE - _ROOT_HALF)
    # The exponent as a number without a conversion, which AVX2 has not: its bits under those of 2**52.
    exponent = _number_of((bits >> 52) | _TWO_52) - 4503599627371519.0
    f = _number_of((bits & _MANTISSA) + _ROOT_HALF) - 1.0
    s = f / (2.0 + f)
    z = s * s
    rest = z * (_L1 + z * (_L2 + z * (_L3 + z * (_L4 + z * (_L5 + z * (_L6 + z * _L7))))))
    half = 0.5 * f * f
    return exponent * _LN2_HIGH - ((half - (s * (half + rest) + exponent * _LN2_LOW)) - f)
