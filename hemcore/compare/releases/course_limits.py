"""How far the course of a HEM over sets goes where nothing changed: quantiles of the statistic of `releases`, by the number of sets.

The statistic is the largest gain per change point in the sum of squares, divided by the variance around the best course with as many
changes as are allowed; its distribution depends on the number of sets alone if their means are normal. The table is from
benchmarks/make_course_limits.py (400,000 courses of normal values each, cut by dynamic programming). Source of the idea: J. Bai, P. Perron
1998, Estimating and testing linear models with multiple structural changes, doi 10.2307/2998540 (whose tables are for many observations).
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PROBABILITIES = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005)
# With fewer sets, their own scatter cannot be told from a change.
FEWEST_SETS, MOST_SETS = 6, 100
_SURE = 1e-6
_LIMITS: dict[int, tuple[float, ...]] = {
    6: (3.367, 8.463, 13.84, 21.09, 35.26, 51.62, 73.68, 117.5, 167.8, 241.6, 366.8, 493.8, 672.9),
    7: (3.337, 7.714, 12.09, 17.77, 27.82, 38.16, 51.53, 74.74, 99.43, 132.6, 191.6, 249, 311.2),
    8: (3.341, 7.284, 11.03, 15.62, 23.47, 31.14, 40.88, 56.78, 74.12, 92.38, 142, 184.1, 231.9),
    9: (3.361, 6.981, 10.33, 14.37, 20.87, 26.87, 34.43, 47.14, 57.83, 74.14, 93.99, 114.7, 126.8),
    10: (3.384, 6.782, 9.876, 13.44, 19.17, 24.21, 30.46, 40.48, 49.5, 60.63, 78.17, 94.66, 118.4),
    11: (3.407, 6.67, 9.536, 12.77, 17.85, 22.43, 27.97, 36.15, 44.29, 54.26, 66.64, 77.55, 88.04),
    12: (5.541, 9.842, 13.7, 18.16, 25.42, 32.18, 40.12, 52.18, 63.9, 76.65, 94.96, 117.1, 136.4),
    13: (5.473, 9.482, 13.01, 17.14, 23.55, 29.16, 35.91, 46.31, 55.05, 66.34, 84.5, 96.77, 113.2),
    14: (5.431, 9.234, 12.5, 16.26, 22.16, 27.35, 33.18, 42.17, 50.88, 59.28, 74.87, 84.83, 96.4),
    15: (5.401, 9.002, 12.08, 15.56, 20.91, 25.53, 30.99, 38.95, 46.11, 54.12, 67.6, 75.02, 91.71),
    16: (5.395, 8.84, 11.76, 15.02, 20, 24.29, 28.95, 35.83, 42.13, 49.9, 59.94, 71.14, 80.4),
    17: (5.377, 8.715, 11.48, 14.61, 19.25, 23.32, 27.72, 34.43, 40.18, 46.47, 56.55, 67, 74.57),
    18: (6.587, 10.87, 14.42, 18.35, 24.35, 29.45, 35.27, 43.87, 50.27, 57.36, 70.7, 81.22, 88.22),
    19: (6.516, 10.59, 13.96, 17.67, 23.22, 27.92, 33.08, 40.79, 47.64, 54.68, 63.5, 71.65, 80.39),
    20: (6.452, 10.36, 13.57, 17.13, 22.3, 26.74, 31.7, 38.87, 45.28, 51.87, 62.05, 71.43, 77.25),
    21: (6.403, 10.16, 13.21, 16.57, 21.52, 25.72, 30.14, 36.8, 42.13, 48.64, 56.16, 63.77, 70.09),
    22: (6.356, 10, 12.94, 16.18, 20.88, 24.81, 29.13, 35.48, 40.57, 46.51, 54.08, 62.22, 69.04),
    23: (6.334, 9.879, 12.73, 15.78, 20.21, 24, 27.97, 33.83, 38.53, 43.82, 53.05, 59.97, 64.94),
    24: (7.362, 11.53, 14.88, 18.45, 23.74, 28.23, 33.2, 40.26, 45.92, 52.72, 61.45, 67.49, 72.54),
    25: (7.29, 11.3, 14.48, 17.93, 23.01, 27.25, 31.72, 38.6, 43.81, 50.37, 58, 64.39, 71.92),
    26: (7.232, 11.13, 14.22, 17.56, 22.32, 26.42, 30.59, 36.69, 42.2, 47.27, 55.05, 59.1, 64.66),
    27: (7.179, 10.97, 13.96, 17.18, 21.75, 25.57, 29.88, 35.8, 40.67, 45.75, 54.14, 57.97, 63.16),
    28: (7.13, 10.83, 13.72, 16.84, 21.41, 25.06, 29.03, 34.25, 38.83, 43.72, 49.74, 55.93, 62.69),
    29: (7.092, 10.73, 13.55, 16.54, 20.96, 24.52, 28.29, 33.72, 37.74, 42.67, 50.75, 56.03, 61.75),
    30: (7.93, 12.04, 15.28, 18.68, 23.52, 27.49, 31.97, 38.43, 43.49, 49.27, 55.8, 62.86, 68.5),
    35: (7.656, 11.34, 14.15, 17.12, 21.26, 24.65, 28.3, 33.61, 37.77, 41.64, 48.42, 53.78, 59.45),
    40: (8.174, 11.89, 14.74, 17.71, 21.94, 25.34, 29, 34.18, 38.64, 42.19, 48.59, 53.51, 56.1),
    50: (7.804, 11.03, 13.43, 15.95, 19.47, 22.25, 25.06, 29.32, 32.66, 36.42, 41.42, 45.32, 49.34),
    60: (7.601, 10.53, 12.71, 14.95, 18.11, 20.62, 23.25, 26.96, 29.74, 32.73, 36.86, 40.92, 43.72),
    80: (7.429, 9.98, 11.86, 13.83, 16.55, 18.72, 20.99, 24.07, 26.52, 29.34, 32.44, 35.11, 37.66),
    100: (7.373, 9.729, 11.48, 13.3, 15.76, 17.72, 19.66, 22.4, 24.62, 26.85, 29.92, 31.45, 33.55),
}


def most_changes(n_sets: int) -> int:
    """How many change points a course of so many sets may have: one per six sets, 1 to 6."""
    return int(min(max(n_sets // 6, 1), 6))


def probability_of(statistic: float, n_sets: int) -> float:
    """How often chance alone goes as far, 1e-6 to 1; beyond the table along its last steps (a power of the statistic)."""
    limits = np.log(_limits(n_sets))
    place = np.log(statistic) if statistic > 0 else -np.inf
    chances = np.log(PROBABILITIES)
    if place < limits[0]:
        return 1.0
    if place <= limits[-1]:
        return float(np.exp(np.interp(place, limits, chances)))
    slope = (chances[-1] - chances[-5]) / (limits[-1] - limits[-5])
    return float(max(np.exp(chances[-1] + slope * (min(place, 700.0) - limits[-1])), _SURE))


def limit_at(probability: float, n_sets: int) -> float:
    """The statistic that chance alone reaches with `probability` (above 0; from 0.5 on that of 0.5): the inverse of `probability_of`."""
    limits, chances = np.log(_limits(n_sets)), np.log(PROBABILITIES)
    asked = np.log(min(max(probability, _SURE), PROBABILITIES[0]))
    if asked >= chances[-1]:
        return float(np.exp(np.interp(-asked, -chances, limits)))
    slope = (limits[-1] - limits[-5]) / (chances[-1] - chances[-5])
    return float(np.exp(limits[-1] + slope * (asked - chances[-1])))


def _limits(n_sets: int) -> Floats:
    """Of the next smaller and the next larger number of sets in the table, the higher."""
    below, above = max(n for n in _LIMITS if n <= n_sets), min(n for n in _LIMITS if n >= n_sets)
    return np.maximum(_LIMITS[below], _LIMITS[above])
