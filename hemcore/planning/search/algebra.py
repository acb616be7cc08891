"""Transversal designs over finite fields: points in rows of q, and groups with one point of each row.

Any two points of different rows are in exactly one group. For a prime power q, the lines y = m x + c over the field of q elements, with
the slope m as another row, give q * q groups over at most q + 1 rows (Colbourn and Dinitz 2007, Handbook of Combinatorial Designs, III.3,
doi:10.1201/9781420010541).
"""

import functools

import numpy as np
from numpy.typing import NDArray


@functools.cache
def prime_powers(most: int) -> tuple[int, ...]:
    """The prime powers from 2 to `most`, ascending."""
    return tuple(q for q in range(2, most + 1) if _root(q) is not None)


@functools.lru_cache(maxsize=8)
def transversal(rows: int, q: int) -> NDArray[np.int64]:
    """Shape (q * q, rows): in column i the point of row i, i * q to i * q + q - 1. q: a prime power; rows: at most q + 1."""
    plus, times = _field(q)
    slope, offset = (axis.ravel() for axis in np.meshgrid(np.arange(q), np.arange(q), indexing="ij"))
    columns = [row * q + plus[times[slope, row], offset] for row in range(min(rows, q))]
    if rows > q:
        columns.append(q * q + slope)
    table = np.stack(columns, axis=1)
    table.setflags(write=False)
    return table


def _root(q: int) -> tuple[int, int] | None:
    """(p, e) with q = p ** e and p prime; None if there is none."""
    p = next((d for d in range(2, int(q**0.5) + 1) if q % d == 0), q)
    e = 0
    while q % p == 0:
        q, e = q // p, e + 1
    return (p, e) if q == 1 else None


@functools.lru_cache(maxsize=16)
def _field(q: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Addition and multiplication of the field of q elements, as tables; the coefficients of element a are the digits of a in base p."""
    root = _root(q)
    assert root is not None
    p, e = root
    if e == 1:
        numbers = np.arange(q)
        return np.add.outer(numbers, numbers) % p, np.outer(numbers, numbers) % p
    weights = p ** np.arange(e)
    digits = np.arange(q)[:, None] // weights % p
    plus = (digits[:, None] + digits[None]) % p @ weights
    for polynomial in digits:
        # x is a generator if its powers are all elements except 0.
        power, powers = digits[1], [1]
        for _ in range(q - 2):
            carried = np.concatenate([[0], power])
            power = (carried[:e] - carried[e] * polynomial) % p
            powers.append(int(power @ weights))
        if sorted(powers) == list(range(1, q)):
            break
    exponent = np.zeros(q, dtype=np.int64)
    exponent[powers] = np.arange(q - 1)
    times = np.array(powers)[np.add.outer(exponent, exponent) % (q - 1)]
    times[0] = times[:, 0] = 0
    return plus, times


@functools.cache
def steiner(n: int) -> NDArray[np.int64] | None:
    """Shape (n (n - 1) / 12, 4): groups of 4 of n points with each pair in exactly one, for n = 25 (50) and 28 (63); None for other n.

    25: the sums of two base groups with each element of Z5 x Z5; the differences within them are its 24 other elements, once each (Colbourn
    and Dinitz 2007, VI.16, difference families). 28: the points of the curve x^4 + y^4 + z^4 = 0 over the field of 9 elements, on
    each line that meets it in more than one (the Hermitian unital, same book, VII.2; doi:10.1201/9781420010541).
    """
    if n == 25:
        base = np.array([[(0, 0), (0, 1), (1, 0), (2, 2)], [(0, 0), (0, 2), (2, 0), (4, 4)]])
        moves = np.stack(np.divmod(np.arange(25), 5), axis=1)
        return ((base[:, None] + moves[None, :, None]) % 5 @ (5, 1)).reshape(-1, 4)
    if n == 28:
        plus, times = _field(9)
        points = np.array([(1, y, z) for y in range(9) for z in range(9)] + [(0, 1, z) for z in range(9)] + [(0, 0, 1)])

        def summed(terms: NDArray[np.int64]) -> NDArray[np.int64]:
            return plus[plus[terms[..., 0], terms[..., 1]], terms[..., 2]]

        square = times[points, points]
        curve = points[summed(times[square, square]) == 0]
        on_line = summed(times[points[:, None], curve[None]]) == 0
        return np.array([np.flatnonzero(line) for line in on_line if line.sum() > 1])
    return None
