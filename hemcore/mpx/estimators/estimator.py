"""What an estimator is: a rule that fills the hidden slots of a series, or a trained model that predicts them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.mpx.sampled import Floats, Sampled


@dataclass(frozen=True, kw_only=True)
class Estimator:
    """An estimator that needs no training.

    name: in the registry and in links. title: as people read it. description: what it does, one sentence. source: where it comes from.
    fill: Sampled -> counts of every slot, the shape of its values, finite and at least 0; NaN where the run has no count of the event.
    What it gives for counted slots is not used. control: it is no estimator anybody should use, it shows what a score can be made to say.
    """

    name: str
    title: str
    description: str
    source: str
    fill: Callable[[Sampled], Floats]
    control: bool = False


@runtime_checkable
class Predictor(Protocol):
    """A trained estimator: anything with a name and `predict`, sampled series -> the same intervals and events, no slot left NaN.

    Raises ParameterError where the events are not those that it was trained for.
    """

    @property
    def name(self) -> str: ...

    def predict(self, sampled: CounterSeries) -> CounterSeries: ...
