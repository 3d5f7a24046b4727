"""Trains a model of Victor: a conditional random field over the blocks of a page, by python-crfsuite.

Features have whole values from 0 to 255. Each is cut into classes once, on the training blocks, and the model file
holds the borders: training and inference see the same classes.
"""

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import victor as native
from corpusprep.cleaners.content.training import examples as reading
from corpusprep.cleaners.content.training import train as content
from corpusprep.cleaners.content.training.examples import Examples, fold_of
from corpusprep.cleaners.content.training.fitting import share_of
from corpusprep.cleaners.content.training.validation import counts
from corpusprep.cleaners.victor.victor_models import OTHER, PLACES, UNITS, VictorModel, victor_features, write_model
from corpusprep.errors import ConfigError
from corpusprep.gold.annotated_sets import BAD, GOOD, VICTOR, VICTOR_OTHER, reliability
from corpusprep.gold.page_scores import CROSS
from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.text_nodes import TextNode, spans_of_nodes

#: Fewest pages and fewest groups of pages (hosts) that a model is trained on.
LEAST_PAGES, LEAST_GROUPS = 20, 5
#: Parts of the pages that are scored in turn, by a model of the other parts.
FOLDS = 3
#: The label of main content where the data has one kind of it.
CONTENT = "content"
#: Labels of Victor's authors: the kinds of main content.
KINDS = ("header", "paragraph", "list", "continuation")
#: Features whose values have no order, or few of them: each frequent value is a class of its own.
NOMINAL = ("tag", "parent_tag", "grandparent_tag", "first_character", "last_character", "before_same", "after_same")
#: Features that are read of the blocks nearby as well, one block and two blocks away on both sides.
NEAR = (
    *("words", "unlinked_words", "link_density", "heading", "tag", "last_character", "capitalised", "letter_share"),
    *("sentences", "same_text", "in_item"),
)
FAR = ("words", "link_density", "sentences")
#: Share of the pages that plain pages are made of, and characters that their paragraphs have more of.
PLAIN, LEAST_LINE = 0.3, 20
NOT_DRAWN = "not drawn: enough blocks without it"
_WEIGHT = re.compile(r"a(\d+)c(\d+)")


@dataclass(slots=True, frozen=True)
class VictorPlan:
    """How a model is trained.

    Attributes:
        classes: into how many classes of about equal size the values of a feature are cut.
        frequent: blocks that a class of its own needs, for NOMINAL features.
        penalty: of the squares of weights (L2): chosen by cross-validation on the development half of Canola.
        iterations: of L-BFGS, at most.
        blocks: that a model is trained on, at most. Of more, pages are drawn by the hashes of their names (the thesis
            found that 97 pages suffice, 2.9.7), and each teaches by `window` blocks in a row at most.
        window: see blocks.
        plain: whether pages of gold text alone are made and taught as well: texts without a menu.
        kinds: whether kinds of main content have labels of their own, where all pages have them.
    """

    classes: int = 10
    frequent: int = 40
    penalty: float = 10.0
    iterations: int = 100
    blocks: int = 80_000
    window: int = 200
    kinds: bool = True
    plain: bool = False


@dataclass(slots=True)
class Sequences:
    """Labelled pages: page p has the blocks bounds[p] to bounds[p + 1].

    Attributes:
        labels: names of the labels.
        bounds: int64, pages + 1.
        columns: uint8, (features, blocks).
        targets: int8, blocks: places in `labels`; -1 where the gold says nothing: such blocks do not teach.
        window: blocks of a page that teach, at most; 0: all.
    """

    labels: tuple[str, ...]
    bounds: NDArray[np.int64]
    columns: NDArray[np.uint8]
    targets: NDArray[np.int8]
    window: int = 0


def train(gold: Sequence[str], data: Path | None, output: Path, plan: VictorPlan, say: Callable[[str], None]) -> None:
    """Trains on gold sets; writes the model, and beside it `<name>.pages.tsv`.

    The table has one row per page: the counts of what a model that has not seen the page's host keeps.

    Args:
        gold: names of known sets, read from `data`, or folders with `html/`, and `gold/` or sheets.
        data: the folder of the known sets.
        output: the file of the model; its name is the name of the model.
        plan: how it is trained.
        say: is told what is being done.

    Raises:
        ConfigError: a set is unknown or absent, two have one name, or there are too few pages.
        GoldError: the files of a set are damaged.
    """
    import pycrfsuite  # noqa: F401  (before pages are read: it may be missing)

    gold_sets = content.read_gold_sets(gold, data, say)
    made = [plain_pages(gold_set) for gold_set in gold_sets.values()] if plan.plain else []
    examples = reading.read([*gold_sets.values(), *made], made=False)
    if made:
        last = sum(len(gold_set.pages) for gold_set in made)
        examples.pages[-last:] = [replace(page, made=True) for page in examples.pages[-last:]]
    window = draw(examples, plan)
    usable = np.array([not page.left_out for page in examples.pages], np.bool_)
    pages = [page for page in examples.own_pages if not page.left_out]
    groups = len({page.group for page in pages})
    if len(pages) < LEAST_PAGES or groups < LEAST_GROUPS:
        raise ConfigError(
            f"too small to train on: {len(pages)} usable pages of {groups} hosts; at least {LEAST_PAGES} pages of "
            f"{LEAST_GROUPS} hosts are needed"
        )
    sequences = sequences_of(examples, plan, window)
    say(f"{len(pages):,} pages of {groups:,} hosts, {len(examples):,} blocks; labels: {', '.join(sequences.labels)}")
    kept = np.zeros(len(examples), np.bool_)
    folds = np.array([fold_of(page.group, FOLDS) for page in examples.pages])
    for fold in range(FOLDS):
        if (usable & (folds != fold)).any() and (folds == fold).any():
            say(f"validating: fold {fold + 1} of {FOLDS}")
            model = fit(sequences, usable & (folds != fold), plan)
            held_out = np.repeat(folds == fold, np.diff(examples.bounds))
            kept[held_out] = labelled(model, sequences)[held_out] != model.labels.index(OTHER)
    rows = {CROSS: list(counts(examples, kept, gold_sets))}
    say("training")
    model = fit(sequences, usable, plan)
    card = content.card_of(output.stem, examples, gold_sets, rows)
    write_model(output, replace(model, card=card))
    content.write_pages(output.with_suffix(".pages.tsv"), examples, rows)


def fold_models(gold_sets: Sequence[GoldSet], plan: VictorPlan) -> Iterator[VictorModel]:
    """Yields FOLDS models: number f has not seen the pages of fold f (examples.fold_of their hosts)."""
    examples = reading.read(gold_sets, made=False)
    sequences = sequences_of(examples, plan, draw(examples, plan))
    usable = np.array([not page.left_out for page in examples.pages], np.bool_)
    folds = np.array([fold_of(page.group, FOLDS) for page in examples.pages])
    for fold in range(FOLDS):
        yield fit(sequences, usable & (folds != fold), plan)


def plain_pages(gold_set: GoldSet) -> GoldSet:
    """Returns pages made of the gold texts of some pages: the first paragraphs; half of them below a link."""
    pages = []
    for page in gold_set.pages:
        lines = [line for line in next(iter(page.gold.values()), "").splitlines() if len(line) > LEAST_LINE]
        if page.overlap or not lines or share_of("plain", gold_set.name, page.name) >= PLAIN:
            continue
        most = 1 << int(5 * share_of("lines", gold_set.name, page.name))
        text = "".join(f"<p>{escape(line)}</p>" for line in lines[:most])
        link = "<p><a href=x>Home</a></p>" if share_of("link", gold_set.name, page.name) < 0.5 else ""
        pages.append(
            replace(
                page,
                name=f"{page.name}, plain",
                html=f"<html><body>{link}{text}</body></html>",
                site=page.site or page.name,
                gold={"": "\n".join(lines[:most])},
                comments="",
                labels=None,
            )
        )
    return GoldSet(gold_set.name, gold_set.title, pages)


def draw(examples: Examples, plan: VictorPlan) -> int:
    """Leaves out pages if there are more blocks than the plan has; returns how many of a page teach, 0 for all."""
    sizes = np.diff(examples.bounds)
    usable = [number for number, page in enumerate(examples.pages) if not page.left_out]
    if sizes[usable].sum() <= plan.blocks:
        return 0
    total = 0
    for number in sorted(
        usable, key=lambda page_number: share_of(examples.pages[page_number].gold_set, examples.pages[page_number].name)
    ):
        page = examples.pages[number]
        size = min(int(sizes[number]), plan.window)
        if total + size > plan.blocks:
            examples.pages[number] = replace(page, left_out=NOT_DRAWN)
        else:
            total += size
    return plan.window


def sequences_of(examples: Examples, plan: VictorPlan, window: int = 0) -> Sequences:
    """Returns the pages with features and labels.

    A block has the label of most of its annotated characters; without annotated text nodes, it is main content if at
    least half of its words are in the gold text.
    """
    kinds = plan.kinds and all(_has_kinds(page.data) for page in examples.pages)
    labels = (OTHER, *KINDS) if kinds else (OTHER, CONTENT)
    texts = [text.encode() for text in examples.texts]
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    text = b"".join(texts)
    own = native.text_features(text, offsets, examples.bounds, examples.block_words)
    columns = np.ascontiguousarray(np.concatenate([examples.columns[list(PLACES)], own]))
    targets = np.where(examples.labels < 0, -1, examples.labels >= 0.5).astype(np.int8)
    for number, page in enumerate(examples.pages):
        first, end = examples.bounds[number : number + 2].tolist()
        classes = _of_nodes(page.data.nodes or [], text, offsets[first : end + 1].tolist(), labels)
        if classes is not None:
            targets[first:end] = classes
    return Sequences(labels, examples.bounds, columns, targets, window)


def fit(sequences: Sequences, chosen: NDArray[np.bool_], plan: VictorPlan) -> VictorModel:
    """Trains on the chosen pages, shape (pages,)."""
    taught = np.repeat(chosen, np.diff(sequences.bounds))
    columns, offsets, borders = attributes(sequences.columns[:, taught], plan)
    classes = classes_of(sequences.columns, sequences.bounds, columns, offsets, borders)
    with tempfile.TemporaryDirectory() as folder:
        states, transitions = _learn(sequences, chosen, classes, Path(folder) / "crf", plan)
    starts = np.cumsum([0, *(len(border) + 2 for border in borders)])
    weights = np.zeros((int(starts[-1]), len(sequences.labels)), np.int32)
    for (name, label), value in states.items():
        match = _WEIGHT.fullmatch(name)
        if match is None:
            raise ValueError(f"an attribute of another name: {name}")
        weights[starts[int(match[1])] + int(match[2]), sequences.labels.index(label)] = round(value * UNITS)
    between = np.zeros((len(sequences.labels),) * 2, np.int32)
    for (before, label), value in transitions.items():
        between[sequences.labels.index(before), sequences.labels.index(label)] = round(value * UNITS)
    return VictorModel(sequences.labels, columns, offsets, borders, weights, between)


def attributes(
    columns: NDArray[np.uint8], plan: VictorPlan
) -> tuple[NDArray[np.uint16], NDArray[np.int8], tuple[NDArray[np.uint8], ...]]:
    """Returns the attributes of a model (VictorModel.columns, offsets, borders) for blocks with these features.

    A feature with one value in all blocks has no attribute.
    """
    places: list[int] = []
    offsets: list[int] = []
    borders: list[NDArray[np.uint8]] = []
    for place, (feature, values) in enumerate(zip(victor_features(), columns, strict=True)):
        rows = nominal_borders(values, plan.frequent) if feature.name in NOMINAL else even_borders(values, plan.classes)
        if not len(rows):
            continue
        reach = 2 if feature.name in FAR else 1 if feature.name in NEAR else 0
        for offset in range(-reach, reach + 1):
            places.append(place)
            offsets.append(offset)
            borders.append(rows)
    return np.array(places, np.uint16), np.array(offsets, np.int8), tuple(borders)


def even_borders(values: NDArray[np.uint8], classes: int) -> NDArray[np.uint8]:
    """Returns borders between up to `classes` classes of values, as even in size as values that repeat allow."""
    sizes = np.bincount(values, minlength=256)
    borders: list[int] = []
    left, size = int(sizes.sum()), 0
    highest = int(values.max(initial=0))
    for value in range(highest):
        size += int(sizes[value])
        if size and size * (classes - len(borders)) >= left and len(borders) < classes - 1:
            borders.append(value)
            left, size = left - size, 0
    return np.array(borders, np.uint8)


def nominal_borders(values: NDArray[np.uint8], frequent: int) -> NDArray[np.uint8]:
    """Returns borders that make each value of at least `frequent` blocks a class of its own."""
    sizes = np.bincount(values, minlength=256)
    borders = set()
    for value in np.flatnonzero(sizes >= frequent).tolist():
        borders |= {value - 1, value}
    lowest, highest = int(values.min(initial=255)), int(values.max(initial=0))
    return np.array(sorted(border for border in borders if lowest <= border < highest), np.uint8)


def classes_of(
    values: NDArray[np.uint8],
    bounds: NDArray[np.int64],
    columns: NDArray[np.uint16],
    offsets: NDArray[np.int8],
    borders: Sequence[NDArray[np.uint8]],
) -> NDArray[np.uint8]:
    """Returns the class of each attribute of each block, shape (attributes, blocks), as the kernel finds it."""
    blocks = np.arange(values.shape[1])
    first, end = (np.repeat(side, np.diff(bounds)) for side in (bounds[:-1], bounds[1:]))
    class_columns = np.zeros((len(columns), values.shape[1]), np.uint8)
    for row, (column, offset, own) in enumerate(zip(columns.tolist(), offsets.tolist(), borders, strict=True)):
        near = blocks + offset
        inside = (near >= first) & (near < end)
        classes = np.searchsorted(own, values[column][np.where(inside, near, blocks)], side="left")
        class_columns[row] = np.where(inside, classes, len(own) + 1)
    return class_columns


def labelled(model: VictorModel, sequences: Sequences) -> NDArray[np.uint8]:
    """Returns the most likely labels of all blocks."""
    return model.native.decode(sequences.columns, sequences.bounds)[0]


def _learn(
    sequences: Sequences, chosen: NDArray[np.bool_], classes: NDArray[np.uint8], path: Path, plan: VictorPlan
) -> tuple[Mapping[tuple[str, str], float], Mapping[tuple[str, str], float]]:
    """Returns the weights of (attribute and class, label), and of (label, label)."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": 0.0,
            "c2": plan.penalty,
            "max_iterations": plan.iterations,
            "feature.possible_transitions": True,
        }
    )
    names = [[f"a{row}c{value}" for value in range(258)] for row in range(len(classes))]
    for page in np.flatnonzero(chosen).tolist():
        first, end = sequences.bounds[page : page + 2].tolist()
        known = first + np.flatnonzero(sequences.targets[first:end] >= 0)
        if not len(known):
            continue
        if 0 < sequences.window < len(known):
            start = int(np.random.default_rng([page, 2]).integers(len(known) - sequences.window + 1))
            known = known[start : start + sequences.window]
        blocks = classes[:, known].T.tolist()
        items = [[name[value] for name, value in zip(names, block, strict=True)] for block in blocks]
        trainer.append(items, [sequences.labels[value] for value in sequences.targets[known].tolist()])
    trainer.train(str(path))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    info = tagger.info()
    tagger.close()
    return info.state_features, info.transitions


def _has_kinds(page: GoldPage) -> bool:
    return any(node.label.startswith(VICTOR) for node in page.nodes or ())


def _of_nodes(
    nodes: list[TextNode], text: bytes, bounds: Sequence[int], labels: Sequence[str]
) -> NDArray[np.int8] | None:
    """Returns the labels of a page's blocks by its annotated text nodes; None without these."""
    numbers = spans_of_nodes(nodes, text, bounds) if nodes else None
    if numbers is None:
        return None
    characters = np.zeros((len(bounds) - 1, len(labels)), np.int64)
    for node, number in zip(nodes, numbers.tolist(), strict=True):
        label = _label(node, labels)
        if label is not None:
            characters[number, label] += node.characters
    # A block with more main content than other text has the kind that most of it has.
    good = characters[:, 1:].sum(axis=1) > characters[:, 0]
    classes = np.where(good, 1 + characters[:, 1:].argmax(axis=1), 0)
    return np.where(characters.sum(axis=1) > 0, classes, -1).astype(np.int8)


def _label(node: TextNode, labels: Sequence[str]) -> int | None:
    """Returns the label of a text node; None if it is undecided, tied or not annotated."""
    if node.label.startswith(VICTOR):
        name = node.label.removeprefix(VICTOR)
        return labels.index(name) if name in labels else int(node.label != VICTOR_OTHER)
    decided = {BAD: 0, GOOD: 1}
    return decided.get(reliability(node)[0])
