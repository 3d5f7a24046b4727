"""A conditional random field in plain Python: the oracle of native/pages/chain_model.hpp."""

from collections.abc import Sequence

import numpy as np

from corpusprep.cleaners.block_models import score_borders
from corpusprep.cleaners.victor.victor_models import OTHER, UNITS, VictorModel, log_add

ADDED: list[int] = log_add().tolist()
BORDERS: list[int] = score_borders(1 / UNITS).tolist()


def states(model: VictorModel, columns: np.ndarray) -> list[list[int]]:
    """The weight of each label at each block of a page."""
    blocks = columns.shape[1]
    found = [[0] * len(model.labels) for _ in range(blocks)]
    row = 0
    for column, offset, borders in zip(model.columns, model.offsets, model.borders, strict=True):
        for block in range(blocks):
            near = block + int(offset)
            value = int(columns[column, near]) if 0 <= near < blocks else None
            own = len(borders) + 1 if value is None else sum(value > border for border in borders.tolist())
            for label, weight in enumerate(model.weights[row + own].tolist()):
                found[block][label] += weight
        row += len(borders) + 2
    return found


def add(values: Sequence[int]) -> int:
    """The logarithm of a sum, by the table, from left to right."""
    total = values[0]
    for value in values[1:]:
        apart = abs(total - value)
        total = max(total, value) + (ADDED[apart] if apart < len(ADDED) else 0)
    return total


def best(model: VictorModel, columns: np.ndarray) -> list[int]:
    """The most likely labels of a page's blocks."""
    weights, between = states(model, columns), model.transitions.tolist()
    labels = range(len(model.labels))
    sums, paths = weights[0], [[label] for label in labels]
    for own in weights[1:]:
        chosen = [max(labels, key=lambda one, to=to: (sums[one] + between[one][to], -one)) for to in labels]
        paths = [[*paths[chosen[to]], to] for to in labels]
        sums = [sums[chosen[to]] + between[chosen[to]][to] + own[to] for to in labels]
    return paths[max(labels, key=lambda one: (sums[one], -one))]


def scores(model: VictorModel, columns: np.ndarray) -> list[int]:
    """The probability of main content of each block of a page, per mille."""
    weights, between = states(model, columns), model.transitions.tolist()
    labels = range(len(model.labels))
    forward = [weights[0]]
    for own in weights[1:]:
        forward.append([own[to] + add([forward[-1][one] + between[one][to] for one in labels]) for to in labels])
    backward = [[0] * len(model.labels)]
    for after in weights[:0:-1]:
        backward.insert(0, [add([between[one][to] + after[to] + backward[0][to] for to in labels]) for one in labels])
    found = []
    for ahead, behind in zip(forward, backward, strict=True):
        both = [a + b for a, b in zip(ahead, behind, strict=True)]
        good = add([value for value, name in zip(both, model.labels, strict=True) if name != OTHER])
        bad = both[model.labels.index(OTHER)]
        found.append(sum(border <= good - bad for border in BORDERS))
    return found
