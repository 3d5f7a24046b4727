import numpy as np
from numpy.typing import NDArray

def matching_blocks(
    text: NDArray[np.int32], gold: NDArray[np.int32], words: int, popular: bool
) -> NDArray[np.int64]: ...
