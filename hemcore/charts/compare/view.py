"""What a user chooses about the pictures of a comparison."""

from hemcore.params import Params, parameter


class CompareView(Params):
    """The HEM that is drawn, and the program whose phases are."""

    hem: str = parameter("", title="HEM", description="The HEM that is drawn.")
    program: str = parameter("", title="Program", description="The program whose phases are drawn. Empty: the one that changes most.")
