"""The forward pass of the networks in numpy: what was trained predicts at once, without a compiler and without jax."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]


def bi_gru(weights: Mapping[str, Singles], inputs: Singles, there: Singles) -> Singles:
    """As gru.forward: outputs, shape (slots, series, outputs), of inputs (slots, series, inputs).

    there: (slots, series, 1), 0 after the end of a series.
    """
    x = inputs
    for layer in range(sum(name.startswith("w") for name in weights) // 2):
        x = np.concatenate([_one_way(weights, f"{layer}{way}", x, there) for way in "fb"], axis=-1)
    out: Singles = x @ weights["out"] + weights["out_bias"]
    return out


def _one_way(weights: Mapping[str, Singles], name: str, x: Singles, there: Singles) -> Singles:
    u, c = weights[f"u{name}"], weights[f"c{name}"]
    width = len(u)
    # Halved, since a logistic function is half a hyperbolic tangent: numpy has that one alone as a vector instruction.
    given = x @ weights[f"w{name}"] + weights[f"b{name}"]
    states = np.empty((*x.shape[:2], width), np.float32)
    h = np.zeros((x.shape[1], width), np.float32)
    slots = range(len(x)) if name.endswith("f") else range(len(x) - 1, -1, -1)
    for slot in slots:
        now, g = given[slot], h @ u + c
        gates = 0.5 + 0.5 * np.tanh(0.5 * (now[:, : 2 * width] + g[:, : 2 * width]))
        candidate = np.tanh(now[:, 2 * width :] + gates[:, :width] * g[:, 2 * width :])
        h = (candidate + gates[:, width:] * (h - candidate)) * there[slot]
        states[slot] = h
    return states


def mlp(weights: Mapping[str, Singles], inputs: Singles) -> Singles:
    """Outputs of a perceptron with rectified hidden layers, weights "w0", "b0", "w1" and so on; inputs: (..., inputs)."""
    layers = sum(name.startswith("w") for name in weights)
    x = inputs
    for layer in range(layers):
        x = x @ weights[f"w{layer}"] + weights[f"b{layer}"]
        if layer < layers - 1:
            x = np.maximum(x, 0)
    return x
