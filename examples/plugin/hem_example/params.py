"""What the user chooses for the level of an event."""

from hemcore.params import Params, parameter


class LevelsParams(Params):
    """Parameters of the level."""

    event: str = parameter("", title="Event", description="The event. Empty: the first.")
    window: int = parameter(3, title="Window", description="Intervals of a mean.", ge=1, le=100, step=1, unit="intervals")
