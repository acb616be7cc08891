"""Costs of segments of many candidates at once; compiled into the searches. numba's cache does not look at this file: where it changes,
partitioning.py must change too.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

RMS, STD, MEAN = 0, 1, 2
# The smallest normal float64, used as the energy of a segment of zeros so that its cost is finite.
REALMIN = 2.2250738585072014e-308
LOG_REALMIN = -708.3964185322641
# Without energy a segment costs log(realmin) instead of log(0), and the inequality behind pruning does not hold: such candidates stay.
PRUNABLE_ENERGY = REALMIN * 2.0**80
NEVER = np.inf
# The rows of candidates: a possible start of the last segment; the cost up to it; of the segment its length, first sample, mean relative to
# that, and energy, the sum of squares (rms) or of squared deviations from the mean (std, mean); the levels at which no later candidate has
# been better; the sample at which a beaten one may be dropped.
ROWS = 9
START, BASE, LENGTH, FIRST, OF_MEAN, ENERGY, LOWEST, HIGHEST, UNTIL = range(ROWS)

# The polynomial of FreeBSD's e_log.c (Sun Microsystems 1993), accurate to one unit in the last place.
_L1, _L2, _L3, _L4 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01
_L5, _L6, _L7 = 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_ONE = 0x3FF0000000000000
_ROOT_HALF = 0x3FE6A09E667F3BCD
_MANTISSA = 0x000FFFFFFFFFFFFF
_TWO_52 = 0x4330000000000000


@njit(inline="always", error_model="numpy")
def log_of(x: float) -> float:
    """log(x) of a normal positive number, within one unit in the last place, by arithmetic alone so that loops over it are vectorised."""
    bits = np.float64(x).view(np.int64) + (_ONE - _ROOT_HALF)
    # The exponent as a float without a conversion, which AVX2 lacks: its bits below those of 2**52.
    exponent = np.int64((bits >> 52) | _TWO_52).view(np.float64) - 4503599627371519.0
    f = np.int64((bits & _MANTISSA) + _ROOT_HALF).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    rest = z * (_L1 + z * (_L2 + z * (_L3 + z * (_L4 + z * (_L5 + z * (_L6 + z * _L7))))))
    half = 0.5 * f * f
    return exponent * _LN2_HIGH - ((half - (s * (half + rest) + exponent * _LN2_LOW)) - f)


@njit(error_model="numpy", fastmath={"nnan", "nsz"})
def least_value(value: NDArray[np.float64], n: int) -> float:
    """The minimum of value[:n], in four chains because each min waits for the previous one."""
    a = b = c = d = value[0]
    for k in range(0, n - 3, 4):
        a, b, c, d = min(a, value[k]), min(b, value[k + 1]), min(c, value[k + 2]), min(d, value[k + 3])
    for k in range(n - n % 4, n):
        a = min(a, value[k])
    return min(min(a, b), min(c, d))


@njit(error_model="numpy", fastmath={"nnan", "nsz"})
def set_values(rows: NDArray[np.float64], value: NDArray[np.float64], ready: int, statistic: int) -> None:
    """The cost of everything so far, for each candidate."""
    base, length, energy = rows[BASE], rows[LENGTH], rows[ENERGY]
    if statistic == MEAN:
        for k in range(ready):
            value[k] = base[k] + energy[k]
    else:
        for k in range(ready):
            value[k] = base[k] + length[k] * log_of(max(energy[k], REALMIN) / length[k])
        # Energies near realmin can underflow when divided. Later candidates have less energy, so these are the last ones.
        k = ready - 1
        while k >= 0 and energy[k] <= PRUNABLE_ENERGY:
            value[k] = base[k] + length[k] * (np.log(max(energy[k], REALMIN)) - np.log(length[k]))
            k -= 1
