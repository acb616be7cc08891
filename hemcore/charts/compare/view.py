"""What a user chooses about the pictures of a comparison."""

from hemcore.params import Params, parameter


class CompareView(Params):
    """The HEM whose runs are drawn in order."""

    hem: str = parameter("", title="HEM", description="The HEM whose runs are drawn in their order.")
