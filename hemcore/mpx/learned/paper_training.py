"""Training of the networks of Wang et al. (2022): one event, one run per step, mean squared error of log10, early stopping."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import optax

from hemcore.mpx.learned import gru
from hemcore.mpx.learned.forward import Singles

Network = Literal["mlp", "bi-gru"]
DROPOUT = 0.3
Moving: TypeAlias = tuple[gru.Weights, optax.OptState]


class Runs(NamedTuple):
    """Runs of one event, padded to one length, arrays of shape (runs, slots).

    inputs, truth: log10 of 1 + the fixed estimate and 1 + the truth; scored: 1 where there is a truth; there: 1 up to the end of the run.
    """

    inputs: Singles
    truth: Singles
    scored: Singles
    there: Singles


def initial(network: Network, draw: np.random.Generator) -> dict[str, Singles]:
    """First weights: the MLP of Table 1 (128, 64, 1) or the Bi-GRU of Table 2 (3 layers of 64, one fully connected)."""
    if network == "bi-gru":
        return gru.initial(draw, 1, 64, 3, 1)
    sizes = (1, 128, 64, 1)
    weights = {f"w{i}": draw.normal(size=(a, b)) * np.sqrt(2 / a) for i, (a, b) in enumerate(pairwise(sizes))}
    biases = {f"b{i}": np.zeros(size) for i, size in enumerate(sizes[1:])}
    return {name: value.astype(np.float32) for name, value in (weights | biases).items()}


def _outputs(
    network: Network, weights: gru.Weights, inputs: jax.Array | Singles, there: jax.Array | Singles, key: jax.Array | None
) -> jax.Array:
    """Shape (slots,), of one run."""
    if network == "bi-gru":
        return gru.forward(weights, inputs[:, None, None], there[:, None, None])[:, 0, 0]
    x = jnp.asarray(inputs)[:, None]
    for layer in range(3):
        x = x @ weights[f"w{layer}"] + weights[f"b{layer}"]
        if layer < 2:
            x = jax.nn.relu(x)
            if key is not None:
                key, own = jax.random.split(key)
                x = jnp.where(jax.random.bernoulli(own, 1 - DROPOUT, x.shape), x / (1 - DROPOUT), 0.0)
    return x[:, 0]


def _error(network: Network, weights: gru.Weights, run: Runs, key: jax.Array | None) -> jax.Array:
    out = _outputs(network, weights, run.inputs, run.there, key)
    return (run.scored * (out - run.truth) ** 2).sum() / jnp.maximum(run.scored.sum(), 1.0)


@partial(jax.jit, static_argnums=0)
def _epoch(
    network: Network, weights: gru.Weights, state: optax.OptState, runs: Runs, order: jax.Array, key: jax.Array, rate: np.float32
) -> tuple[gru.Weights, optax.OptState, jax.Array]:
    optimiser = optax.adam(rate)

    def step(carried: Moving, now: tuple[jax.Array, jax.Array]) -> tuple[Moving, jax.Array]:
        number, own = now
        weights, state = carried
        error, gradients = jax.value_and_grad(lambda w: _error(network, w, Runs(*(each[number] for each in runs)), own))(weights)
        updates, state = optimiser.update(gradients, state)
        return (optax.apply_updates(weights, updates), state), error

    (weights, state), errors = jax.lax.scan(step, (weights, state), (order, jax.random.split(key, len(order))))
    return weights, state, errors.mean()


@partial(jax.jit, static_argnums=0)
def _checked(network: Network, weights: gru.Weights, runs: Runs) -> jax.Array:
    return jax.lax.map(lambda run: _error(network, weights, run, None), runs).mean()


def trained(
    network: Network,
    learned: Runs,
    checked: Runs | None,
    *,
    epochs: int,
    patience: int,
    rate: float,
    seed: int,
    report: Callable[[int, float, float], object],
) -> tuple[dict[str, Singles], int]:
    """The weights, and after how many epochs they were had.

    patience: epochs without a smaller error of `checked` after which training ends, with the weights of the smallest; 0: all epochs, and
    the last weights. report(epoch, error, error of checked): after each.
    """
    draw = np.random.default_rng(seed)
    weights: gru.Weights = jax.tree.map(jnp.asarray, initial(network, draw))
    state: optax.OptState = optax.adam(rate).init(weights)
    best, best_error, best_epoch = weights, np.inf, 0
    key = jax.random.key(seed)
    for epoch in range(1, epochs + 1):
        key, own = jax.random.split(key)
        order = jnp.asarray(draw.permutation(len(learned.inputs)).astype(np.int32))
        weights, state, error = _epoch(network, weights, state, learned, order, own, np.float32(rate))
        checked_error = float(_checked(network, weights, checked)) if checked is not None else float("nan")
        report(epoch, float(error), checked_error)
        if not patience or checked_error < best_error:
            best, best_error, best_epoch = weights, checked_error, epoch
        elif epoch - best_epoch >= patience:
            break
    return {name: np.asarray(value) for name, value in best.items()}, best_epoch
