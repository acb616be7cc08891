"""Lasso without an intercept from its Gram matrix: coordinate descent selects the coefficients, an active-set method makes them exact.

Friedman, Hastie, Tibshirani: Regularization Paths for Generalized Linear Models via Coordinate Descent (2010), DOI 10.18637/jss.v033.i01.
The active-set method is that of Lawson and Hanson for non-negative coefficients (Solving Least Squares Problems, 1974, chapter 23),
extended to either sign.
"""

import numba
import numpy as np

from hemcore.prediction.arrays import Floats, Whole

_SWEEPS = 8
# Tolerance of the optimality conditions, relative to the largest correlation.
_SLACK = 1e-10
# Smallest squared length of a unit feature's part that the active features do not explain.
_SINGULAR = 1e-14


@numba.njit(cache=True, nogil=True)
def lasso(gram: Floats, against: Floats, alpha: float, positive: bool, theta: Floats) -> None:
    """Replace `theta`, the starting point, by the minimizer of theta' gram theta / 2 - against' theta + alpha |theta|_1.

    gram: shape (d, d), X'X / m. against: shape (d,), X'y / m. positive: no coefficient below 0. A feature that is always 0 gets 0.
    """
    d = len(against)
    units = np.empty(d)
    for j in range(d):
        units[j] = np.sqrt(gram[j, j])
    # Scaled so that every feature has length 1.
    scaled, goal, cost = np.zeros((d, d)), np.zeros(d), np.zeros(d)
    largest = 0.0
    for j in range(d):
        if units[j] <= 0:
            theta[j] = 0.0
            continue
        goal[j], cost[j] = against[j] / units[j], alpha / units[j]
        largest = max(largest, abs(goal[j]))
        theta[j] *= units[j]
        if positive and theta[j] < 0:
            theta[j] = 0.0
        for k in range(d):
            if units[k] > 0:
                scaled[j, k] = gram[j, k] / (units[j] * units[k])
    if largest > 0:
        _descend(scaled, goal, cost, positive, theta, units)
        _end(scaled, goal, cost, positive, theta, units, _SLACK * largest)
    else:
        theta[:] = 0.0
    for j in range(d):
        if units[j] > 0:
            theta[j] /= units[j]


@numba.njit(cache=True, nogil=True)
def _descend(scaled: Floats, goal: Floats, cost: Floats, positive: bool, theta: Floats, units: Floats) -> None:
    d = len(goal)
    slope = goal - scaled @ theta
    for _ in range(_SWEEPS):
        for j in range(d):
            if units[j] <= 0:
                continue
            pull = slope[j] + theta[j]
            now = 0.0
            if pull > cost[j]:
                now = pull - cost[j]
            elif pull < -cost[j] and not positive:
                now = pull + cost[j]
            step = now - theta[j]
            if step != 0.0:
                theta[j] = now
                for k in range(d):
                    slope[k] -= scaled[k, j] * step


@numba.njit(cache=True, nogil=True)
def _end(scaled: Floats, goal: Floats, cost: Floats, positive: bool, theta: Floats, units: Floats, slack: float) -> None:
    """From `theta` to the optimum: solve for the active features, drop one if its sign would change, add that of the largest gradient."""
    d = len(goal)
    sign, blocked = np.sign(theta), np.zeros(d, dtype=np.bool_)
    own, right = np.empty(d, dtype=np.int64), np.empty(d)
    factor = np.empty((d, d))
    entering, done = -1, 0
    for _ in range(20 * d + 20):
        n = 0
        for j in range(d):
            if sign[j] != 0.0:
                own[n] = j
                n += 1
        row = _solved(scaled, goal, cost, sign, own[:n], right, factor)
        if row >= 0:
            # A linear combination of the ones before: only the penalty changes along `right`, until one of them is 0.
            j = own[row]
            gain = 0.0
            for place in range(row + 1):
                gain += right[place] * (goal[own[place]] - cost[own[place]] * sign[own[place]])
            way = -np.sign(theta[j]) if abs(gain) <= slack else np.sign(gain)
            step, leaving = np.inf, -1
            for place in range(row + 1):
                k = own[place]
                if way * right[place] * sign[k] < 0 and -theta[k] / (way * right[place]) < step:
                    step, leaving = -theta[k] / (way * right[place]), k
            if leaving < 0 or way == 0.0:
                step, leaving, blocked[j] = 0.0, j, True
            elif leaving == j and step <= 0.0:
                blocked[j] = True
            for place in range(row + 1):
                theta[own[place]] += step * way * right[place]
            sign[leaving], theta[leaving] = 0.0, 0.0
            continue
        # Towards the solution, until a sign would change.
        step, leaving = 1.0, -1
        for place in range(n):
            j = own[place]
            if right[place] * sign[j] <= 0:
                way = theta[j] - right[place]
                share = theta[j] / way if way != 0.0 else 0.0
                if share < step:
                    step, leaving = share, j
        for place in range(n):
            j = own[place]
            theta[j] += step * (right[place] - theta[j])
        if leaving >= 0:
            # It was added only because of rounding.
            blocked[leaving] = leaving == entering and step <= 0.0
            sign[leaving], theta[leaving] = 0.0, 0.0
            continue
        if step >= 1.0:
            done += 1
            if done % 4 == 0:
                blocked[:] = False
        entering, most = -1, slack
        for j in range(d):
            if sign[j] == 0.0 and units[j] > 0 and not blocked[j]:
                slope = goal[j]
                for place in range(n):
                    slope -= scaled[j, own[place]] * theta[own[place]]
                over = (slope if positive else abs(slope)) - cost[j]
                if over > most:
                    entering, most = j, over
                    sign_of = 1.0 if slope > 0 else -1.0
        if entering < 0:
            return
        sign[entering] = sign_of


@numba.njit(cache=True, nogil=True)
def _solved(scaled: Floats, goal: Floats, cost: Floats, sign: Floats, own: Whole, right: Floats, factor: Floats) -> int:
    """Put the coefficients of the active features into `right`, by Cholesky, and return -1.

    If one is a linear combination of those before it: return its place in `own`; `right` is then the direction, 1 at this place, that
    changes no prediction.
    """
    n = len(own)
    for row in range(n):
        j = own[row]
        right[row] = goal[j] - cost[j] * sign[j]
        for column in range(row + 1):
            rest = scaled[j, own[column]]
            for k in range(column):
                rest -= factor[row, k] * factor[column, k]
            if row == column:
                if rest <= _SINGULAR:
                    right[row] = 1.0
                    for k in range(row - 1, -1, -1):
                        right[k] = -factor[row, k]
                        for later in range(k + 1, row):
                            right[k] -= factor[later, k] * right[later]
                        right[k] /= factor[k, k]
                    return row
                factor[row, row] = np.sqrt(rest)
            else:
                factor[row, column] = rest / factor[column, column]
    for row in range(n):
        for k in range(row):
            right[row] -= factor[row, k] * right[k]
        right[row] /= factor[row, row]
    for row in range(n - 1, -1, -1):
        for k in range(row + 1, n):
            right[row] -= factor[k, row] * right[k]
        right[row] /= factor[row, row]
    return -1
