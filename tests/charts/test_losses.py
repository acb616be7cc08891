"""The loss curve of a training."""

from hemcore.charts.mpx import losses
from hemcore.mpx.learned.training_losses import losses_of


def test_a_line_a_loss_of_what_is_trained_now() -> None:
    told = ["Bc, epoch 1 of 9: learned 0.9000, held out 0.8000", "Bcm, epoch 1 of 9: learned 0.5000", "Bcm, epoch 2 of 9: learned 0.2500"]
    figure = losses.draw(losses_of(told), key="job")
    (line,) = figure.data
    assert line.name == "learned"
    assert list(line.x) == [1, 2]
    assert list(line.y) == [0.5, 0.25]
    assert figure.layout.xaxis.title.text == "Bcm, epoch"
