"""Training of the Bi-GRU for all events: random crops of random rotations, one compiled step."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import optax

from hemcore.mpx.learned import gru
from hemcore.mpx.learned.training_examples import Examples, Singles
from hemcore.mpx.sampled import Places

Scale: TypeAlias = tuple[Singles, Singles]
T = TypeVar("T", bound=gru.Weights)

# The weight of a slot in the loss of curves: the base over the truth, at most this.
MOST = 20.0
# The weight of a slot whose truth is 0, which RA does not look at: without it curves rise wherever nothing happens (at 0 the DTW-cost is
# twice as high, and WA .015 lower on the five worst events of the samples; at 0.2 their RA is the same).
OF_ZERO = 0.2
# Crops whose gradients are taken at once. Of 32 the arrays in between take 54 MB, which are returned to the system after each step: to get
# them again took a third of a step's processor time.
AT_ONCE = 16


# Gradients whose norm over all weights exceeds 1 are scaled down to it. The rate, which falls, is applied in `step`.
OPTIMISER = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam())


class Batch(NamedTuple):
    """Crops, arrays of shape (slots, crops, events); there: (slots, crops, 1), 0 after the end of a run that is shorter than the crop."""

    counts: Singles
    curve: Singles
    counted: Singles
    truth: Singles
    scored: Singles
    there: Singles


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a model is trained: how many steps of `crops` crops of `slots` slots, and the learning rate, which falls to 0 in a line."""

    steps: int
    crops: int
    slots: int
    rate: float


def crops_of(examples: Examples, plan: Plan, draw: np.random.Generator) -> Iterator[Batch]:
    """One batch per step, without end: a run is drawn by its length, then a place in it and a rotation."""
    lengths = np.diff(examples.starts)
    chance = lengths / lengths.sum()
    reach = np.arange(plan.slots)
    while True:
        runs = draw.choice(len(lengths), size=plan.crops, p=chance)
        room = np.maximum(lengths[runs] - plan.slots, 0)
        first = examples.starts[runs] + (draw.random(plan.crops) * (room + 1)).astype(np.int64)
        ends = examples.starts[runs + 1]
        places = first[None, :] + reach[:, None]
        there = (places < ends[None, :])[..., None]
        places = np.minimum(places, ends[None, :] - 1)
        turn = draw.integers(len(examples.rotations), size=plan.crops)

        def taken(name: str, places: Places = places, turn: Places = turn) -> Singles:
            out = np.empty((*places.shape, examples.truth.shape[1]), np.float32)
            for crop, rotation in enumerate(turn.tolist()):
                out[:, crop] = getattr(examples.rotations[rotation], name)[places[:, crop]]
            return out

        counted = taken("counted")
        scored = (examples.known[places] & (counted == 0) & there).astype(np.float32)
        yield Batch(taken("counts"), taken("curve"), counted, examples.truth[places], scored, there.astype(np.float32))


def loss_of(weights: gru.Weights, scale: Scale, batch: Batch) -> tuple[jax.Array, jax.Array]:
    """The sum of both readouts' losses over hidden slots, and the two beside one another.

    Curves: |log estimate - log truth| weighted with base / truth where the truth is above 0: its least is where RA's is; and OF_ZERO where
    it is 0. Counts: plain.
    """
    centre, spread = scale
    out = gru.forward(weights, jnp.concatenate([(batch.counts - centre) / spread, batch.counted], axis=-1), batch.there)
    events = batch.truth.shape[-1]
    ratio = jnp.where(batch.truth > 0, jnp.clip(jnp.exp(batch.counts - batch.truth), 0.0, MOST), OF_ZERO)
    curve = (batch.scored * ratio * jnp.abs(batch.curve + out[..., :events] - batch.truth)).sum()
    counts = (batch.scored * jnp.abs(batch.counts + out[..., events:] - batch.truth)).sum()
    return curve + counts, jnp.stack([curve, counts])


def slopes_of(weights: gru.Weights, scale: Scale, batch: Batch) -> tuple[gru.Weights, jax.Array]:
    """The gradients of `loss_of` and its two parts, per hidden slot; AT_ONCE crops after one another where these divide the batch."""
    crops = batch.truth.shape[1]
    times = crops // AT_ONCE if crops % AT_ONCE == 0 else 1
    each = jax.tree.map(lambda a: jnp.moveaxis(a.reshape(len(a), times, crops // times, -1), 1, 0), batch)

    def add(so_far: tuple[gru.Weights, jax.Array], some: Batch) -> tuple[tuple[gru.Weights, jax.Array], None]:
        return jax.tree.map(jnp.add, so_far, jax.grad(loss_of, has_aux=True)(weights, scale, some)), None

    found, _ = jax.lax.scan(add, (jax.tree.map(jnp.zeros_like, weights), jnp.zeros(2)), each)
    hidden = jnp.maximum(batch.scored.sum(), 1.0)
    slopes, losses = jax.tree.map(lambda a: a / hidden, found)
    return slopes, losses


def moved(weights: T, gradients: T, state: optax.OptState, rate: jax.Array | np.float32) -> tuple[T, optax.OptState]:
    """Weights and the optimiser's state after one step of Adam."""
    updates, state = OPTIMISER.update(gradients, state)
    return optax.apply_updates(weights, jax.tree.map(lambda each: -rate * each, updates)), state


@partial(jax.jit, donate_argnums=(0, 1))
def _step(
    weights: gru.Weights, state: optax.OptState, scale: Scale, batch: Batch, rate: jax.Array | np.float32
) -> tuple[gru.Weights, optax.OptState, jax.Array]:
    gradients, losses = slopes_of(weights, scale, batch)
    return *moved(weights, gradients, state, rate), losses


def trained(
    weights: dict[str, Singles],
    scale: Scale,
    examples: Examples,
    plan: Plan,
    draw: np.random.Generator,
    report: Callable[[int, float, float], object],
) -> dict[str, Singles]:
    """The weights after plan.steps steps. report(step, loss of curves, loss of counts) after each, the losses smoothed over about 20."""
    moving: gru.Weights = jax.tree.map(jnp.asarray, weights)
    state = OPTIMISER.init(moving)
    smooth = np.zeros(2)
    kept = 0.95
    for number, batch in zip(range(plan.steps), crops_of(examples, plan, draw), strict=False):
        rate = np.float32(plan.rate * (1 - number / plan.steps))
        moving, state, losses = _step(moving, state, scale, batch, rate)
        smooth = kept * smooth + (1 - kept) * np.asarray(losses)
        curve, counts = (smooth / (1 - kept ** (number + 1))).tolist()
        report(number + 1, curve, counts)
    return {name: np.asarray(value) for name, value in moving.items()}
