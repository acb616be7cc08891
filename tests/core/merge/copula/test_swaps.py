"""One swap, drawn and judged by hand."""

import numpy as np

from hemcore.merge.copula.swaps import polish


def test_the_first_swap_of_seed_0() -> None:
    """SplitMix64 begins with 0xE220A8397B1DCDAF: of 16 HEMs 0xE220 draws 0xE; of 256 rows 0xA8397B draws 0xA8, and 0x1DCDAF draws 0x1D."""
    features, missing = np.zeros((256, 16), np.float32), np.zeros((16, 16), np.float32)
    ranks = np.repeat(np.arange(256, dtype=np.int32)[:, None], 16, axis=1)
    # HEMs 0 and 14 are read together in row 0xA8, and their mean product is 1 too large: swapped, it is 1/256 less.
    features[0xA8, [0, 0xE]] = 1
    missing[0, 0xE] = missing[0xE, 0] = 1
    assert polish(features, ranks, missing, 1, 0) == 1
    assert np.argwhere(features).tolist() == [[0x1D, 0xE], [0xA8, 0]]
    assert (ranks[0x1D, 0xE], ranks[0xA8, 0xE]) == (0xA8, 0x1D)
    assert missing[0, 0xE] == missing[0xE, 0] == 1 - 1 / 256
