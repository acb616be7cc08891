"""One step of Adam (Kingma and Ba 2015, arXiv:1412.6980), for dicts of weights."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Moments(NamedTuple):
    """Running means of the slopes and of their squares, and how many steps are in them."""

    first: Any
    second: Any
    steps: jax.Array


def none_yet(weights: Any) -> Moments:
    """Before the first step."""
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return Moments(zeros, jax.tree.map(jnp.copy, zeros), jnp.zeros((), jnp.float32))


def moved(weights: Any, slopes: Any, moments: Moments, rate: jax.Array, *, longest: float = float("inf")) -> tuple[Any, Moments]:
    """Weights and moments after one step. longest: slopes that are longer, all together, are shortened to it."""
    length = jnp.sqrt(sum(jnp.sum(each * each) for each in jax.tree.leaves(slopes)))
    scale = jnp.minimum(1.0, longest / jnp.maximum(length, 1e-12))
    steps = moments.steps + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * scale * g, moments.first, slopes)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * (scale * g) ** 2, moments.second, slopes)
    up, down = 1 / (1 - 0.9**steps), 1 / (1 - 0.999**steps)
    new = jax.tree.map(lambda w, m, v: w - rate * m * up / (jnp.sqrt(v * down) + 1e-8), weights, first, second)
    return new, Moments(first, second, steps)
