"""The network, its gradients and the optimiser against jax.grad and values worked out by hand."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

from hemcore.mpx.learned import forward, gru, training  # noqa: E402
from hemcore.mpx.learned.training_examples import examples_of  # noqa: E402
from tests.core.mpx.made import bursty  # noqa: E402


def plainly(weights, inputs, there):
    """The same network as the equations have it, for JAX to differentiate."""
    jnp, x = jax.numpy, inputs
    for layer in range(2):
        ways = []
        for way in "fb":
            u, c, w, b = (weights[f"{name}{layer}{way}"] for name in "ucwb")
            n = len(u)

            def step(h, now, u=u, c=c, n=n):
                a, on = now
                g = h @ u + c
                reset, update = jax.nn.sigmoid(a[:, :n] + g[:, :n]), jax.nn.sigmoid(a[:, n : 2 * n] + g[:, n : 2 * n])
                h = ((1 - update) * jnp.tanh(a[:, 2 * n :] + reset * g[:, 2 * n :]) + update * h) * on
                return h, h

            ways.append(jax.lax.scan(step, jnp.zeros((x.shape[1], n)), (x @ w + b, there), reverse=way == "b")[1])
        x = jnp.concatenate(ways, axis=-1)
    return x @ weights["out"] + weights["out_bias"]


@pytest.fixture(scope="module")
def case():
    draw = np.random.default_rng(3)
    weights = gru.initial(draw, 3, 4, 2, 2)
    weights = {name: value + draw.normal(size=value.shape).astype(np.float32) * 0.1 for name, value in weights.items()}
    there = np.ones((5, 2, 1), np.float32)
    there[3:, 1] = 0
    return weights, draw.normal(size=(5, 2, 3)).astype(np.float32), there


@pytest.mark.slow
@pytest.mark.long
def test_the_network_and_its_gradients_are_those_of_the_equations(case):
    weights, inputs, there = case

    def cost(function):
        return jax.jit(jax.value_and_grad(lambda w: (function(w, inputs, there) ** 2 * there).sum()))(weights)

    ours, theirs = cost(gru.forward), cost(plainly)
    assert ours[0] == pytest.approx(float(theirs[0]), rel=1e-5)
    for name, slope in theirs[1].items():
        np.testing.assert_allclose(ours[1][name], slope, rtol=2e-4, atol=2e-6, err_msg=name)


@pytest.mark.slow
def test_numpy_predicts_what_jax_does(case):
    weights, inputs, there = case
    np.testing.assert_allclose(forward.bi_gru(weights, inputs, there), gru.forward(weights, inputs, there), atol=1e-6)


def test_what_lies_behind_the_end_of_a_run_changes_nothing(case):
    weights, inputs, there = case
    other = inputs.copy()
    other[3:, 1] = 99
    np.testing.assert_array_equal(forward.bi_gru(weights, inputs, there)[:3, 1], forward.bi_gru(weights, other, there)[:3, 1])
    alone = forward.bi_gru(weights, inputs[:3, 1:], np.ones((3, 1, 1), np.float32))
    np.testing.assert_allclose(alone[:, 0], forward.bi_gru(weights, inputs, there)[:3, 1], atol=1e-6)


def test_a_perceptron_by_hand():
    weights = {"w0": [[1.0, -1.0]], "b0": [0.0, 0.5], "w1": [[2.0], [10.0]], "b1": [1.0]}
    weights = {name: np.array(value, np.float32) for name, value in weights.items()}
    # 2 -> (2, -1.5) -> (2, 0) -> 5; -1 -> (-1, 1.5) -> (0, 1.5) -> 16.
    np.testing.assert_allclose(forward.mlp(weights, np.array([[2.0], [-1.0]], np.float32)), [[5.0], [16.0]])


@pytest.mark.long
@pytest.mark.slow
def test_the_first_step_of_adam_is_the_rate_in_each_direction():
    weights = {"a": jax.numpy.array([1.0, 1.0]), "b": jax.numpy.array([2.0])}
    gradients = {"a": jax.numpy.array([30.0, -40.0]), "b": jax.numpy.array([0.0])}
    moved, (_, moments) = training.moved(weights, gradients, training.OPTIMISER.init(weights), 0.1)
    np.testing.assert_allclose(moved["a"], [0.9, 1.1], rtol=1e-5)
    np.testing.assert_allclose(moved["b"], [2.0])
    # Shortened to length 1: (0.6, -0.8), of which the first moment has a tenth.
    np.testing.assert_allclose(moments.mu["a"], [0.06, -0.08], rtol=1e-5)
    assert int(moments.count) == 1


def test_crops_lie_within_runs_and_score_hidden_slots_alone():
    examples, _ = examples_of(bursty(n=120, n_runs=3), 4)
    plan = training.Plan(steps=1, crops=5, slots=64, rate=1e-3)
    batch = next(training.crops_of(examples, plan, np.random.default_rng(0)))
    # A run has 40 slots: the other 24 of each crop are not there.
    assert batch.there.sum(axis=0).ravel().tolist() == [40.0] * 5
    assert not (batch.scored * batch.counted).any()
    assert not (batch.scored * (1 - batch.there)).any()
    # Of 40 slots each of the 4 events is counted in 10.
    np.testing.assert_array_equal(batch.scored.sum(axis=0), np.full((5, 4), 30.0))


@pytest.mark.long
@pytest.mark.slow
def test_nothing_is_compiled_again_for_other_runs():
    plan = training.Plan(steps=2, crops=2, slots=16, rate=1e-3)
    before = None
    for n in (60, 120, 240):
        examples, _ = examples_of(bursty(n=n, n_runs=3), 4)
        scale = (examples.truth.mean(axis=0), examples.truth.std(axis=0))
        draw = np.random.default_rng(0)
        training.trained(gru.initial(draw, 8, 4, 1, 8), scale, examples, plan, draw, lambda *_: None)
        assert before is None or training._step._cache_size() == before
        before = training._step._cache_size()
