"""Bidirectional gated recurrent units (Cho et al. 2014, doi:10.3115/v1/D14-1179) in JAX, with a gradient of their own.

The gradients of the recurrent weights are one matrix product over all slots here; `jax.grad` of the loop computes one per slot, and a
training step then takes an eighth more processor time. A test compares both.
"""

from collections.abc import Mapping
from functools import partial
from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from hemcore.mpx.learned.forward import Singles
from hemcore.mpx.sampled import Floats

Weights: TypeAlias = Mapping[str, jax.Array]
Arrays: TypeAlias = tuple[jax.Array, ...]


def initial(draw: np.random.Generator, inputs: int, width: int, layers: int, outputs: int) -> dict[str, Singles]:
    """Weights of `layers` bidirectional layers of `width` units a direction and a readout that begins near 0. float32, a flat dict.

    "w0f": the input's weights of layer 0 forwards, shape (inputs, 3 width), for reset, update and candidate; "u0f": the recurrent ones;
    "b0f", "c0f": their biases; "w0b" and so on: backwards. "out", "out_bias": the readout.
    """
    found: dict[str, Floats] = {}
    size = inputs
    for layer in range(layers):
        for way in "fb":
            found[f"w{layer}{way}"] = draw.normal(size=(size, 3 * width)) / np.sqrt(size)
            found[f"u{layer}{way}"] = draw.normal(size=(width, 3 * width)) / np.sqrt(width)
            found[f"b{layer}{way}"] = np.zeros(3 * width)
            found[f"c{layer}{way}"] = np.zeros(3 * width)
        size = 2 * width
    found["out"] = draw.normal(size=(size, outputs)) * 0.1 / np.sqrt(size)
    found["out_bias"] = np.zeros(outputs)
    return {name: value.astype(np.float32) for name, value in found.items()}


def forward(weights: Weights, inputs: ArrayLike, there: ArrayLike) -> jax.Array:
    """Outputs, shape (slots, series, outputs). inputs: (slots, series, inputs); there: (slots, series, 1), 0 where a series has ended."""
    x, present = jnp.asarray(inputs), jnp.asarray(there)
    for layer in range(sum(name.startswith("w") for name in weights) // 2):
        ways = [
            _one_way(
                weights[f"u{layer}{way}"],
                weights[f"c{layer}{way}"],
                x @ weights[f"w{layer}{way}"] + weights[f"b{layer}{way}"],
                present,
                way,
            )
            for way in "fb"
        ]
        x = jnp.concatenate(ways, axis=-1)
    return x @ weights["out"] + weights["out_bias"]


@partial(jax.custom_vjp, nondiff_argnums=(4,))
def _one_way(u: jax.Array, c: jax.Array, x: jax.Array, there: jax.Array, way: str) -> jax.Array:
    return _forward_cached(u, c, x, there, way)[0]


def _forward_cached(u: jax.Array, c: jax.Array, x: jax.Array, there: jax.Array, way: str) -> tuple[jax.Array, Arrays]:
    width = u.shape[0]

    def step(h: jax.Array, now: Arrays) -> tuple[jax.Array, Arrays]:
        xt, is_there = now
        g = h @ u + c
        gates = jax.nn.sigmoid(xt[:, : 2 * width] + g[:, : 2 * width])
        reset, update, m = gates[:, :width], gates[:, width:], g[:, 2 * width :]
        candidate = jnp.tanh(xt[:, 2 * width :] + reset * m)
        new = (candidate + update * (h - candidate)) * is_there
        return new, (new, h, gates, m, candidate)

    start = jnp.zeros((x.shape[1], width), x.dtype)
    _, (states, before, gates, m, candidate) = jax.lax.scan(step, start, (x, there), reverse=way == "b")
    return states, (u, before, gates, m, candidate, there)


def _back(way: str, kept: Arrays, slopes: jax.Array) -> Arrays:
    u, before, gates, m, candidate, there = kept
    width = u.shape[0]
    reset, update = gates[..., :width], gates[..., width:]
    to_candidate = (1 - update) * (1 - candidate * candidate) * there
    to_update = (before - candidate) * update * (1 - update) * there
    to_reset = m * reset * (1 - reset)
    to_before = update * there
    turned = u.T

    def step(carried: jax.Array, now: Arrays) -> tuple[jax.Array, Arrays]:
        slope, a, b, r, reset_t, on = now
        slope = slope + carried
        d_candidate = slope * a
        d_g = jnp.concatenate([d_candidate * r, slope * b, d_candidate * reset_t], axis=1)
        return slope * on + d_g @ turned, (d_g, d_candidate)

    given = (slopes, to_candidate, to_update, to_reset, reset, to_before)
    _, (d_g, d_candidate) = jax.lax.scan(step, jnp.zeros_like(before[0]), given, reverse=way == "f")
    d_x = jnp.concatenate([d_g[..., : 2 * width], d_candidate], axis=-1)
    d_u = before.reshape(-1, width).T @ d_g.reshape(-1, 3 * width)
    return d_u, d_g.sum((0, 1)), d_x, jnp.zeros_like(there)


_one_way.defvjp(_forward_cached, _back)
