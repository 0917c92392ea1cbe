"""Array types that the packages share."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.unsignedinteger[Any]]
"""letters as small integers"""
Patterns: TypeAlias = NDArray[np.unsignedinteger[Any]]
"""pattern ids, in the smallest unsigned type that holds them"""
Indices: TypeAlias = NDArray[np.int32]
"""indices of guesses"""
Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
