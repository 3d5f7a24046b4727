"""jusText against a plain reading of algorithms 2.2 and 2.3."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plain_blocks import PlainBlock, columns, plain_blocks

from corpusprep.cleaners.interface import LABELS, VERDICTS
from corpusprep.cleaners.justext import PRESETS, JusText, Measures, Sweep, Thresholds
from corpusprep.cleaners.registry import algorithm
from corpusprep.errors import ConfigError


def plain_class(block: PlainBlock, t: Thresholds) -> str:
    """Algorithm 2.2 as printed, after the rules of 2.7.1."""
    link_density = block.link_words / block.words
    stopwords_density = block.stop_words / block.alphabetic_words if block.alphabetic_words else 0
    if block.copyright or block.in_select:
        return "bad"
    if link_density > t.max_link_density:
        return "bad"
    if block.words < t.length_low:
        return "bad" if link_density > 0 else "short"
    if stopwords_density > t.stopwords_high:
        return "good" if block.words > t.length_high else "near-good"
    if stopwords_density > t.stopwords_low:
        return "near-good"
    return "bad"


def plain_context(classes: list[str]) -> list[str]:
    """Algorithm 2.3 as printed, with the helper methods' searches spelt out."""

    def nearest(index: int, step: int, wanted: set[str]) -> str:
        index += step
        while 0 <= index < len(classes):
            if classes[index] in wanted:
                return classes[index]
            index += step
        return "bad"

    def one(index: int) -> str:
        own = classes[index]
        if own in {"bad", "good"}:
            return own
        previous = nearest(index, -1, {"good", "bad"})
        following = nearest(index, 1, {"good", "bad"})
        if own == "near-good":
            return "good" if "good" in {previous, following} else "bad"
        if previous == following:
            return previous
        step = -1 if previous == "bad" else 1
        return "good" if nearest(index, step, {"good", "bad", "near-good"}) == "near-good" else "bad"

    return [one(index) for index in range(len(classes))]


@given(st.lists(st.lists(plain_blocks(), max_size=12), max_size=4), st.sampled_from(sorted(PRESETS)))
def test_classes_are_those_of_the_printed_algorithms(pages: list[list[PlainBlock]], preset: str) -> None:
    """Both passes, for every preset, on several pages at once."""
    classes = JusText(PRESETS[preset]).classify(columns(pages))
    expected = [[plain_class(block, PRESETS[preset]) for block in page] for page in pages]
    assert [LABELS[label] for label in classes.context_free] == [label for page in expected for label in page]
    final = [label for page in expected for label in plain_context(page)]
    assert ["good" if good else "bad" for good in classes.good] == final


def measures(pages: list[list[PlainBlock]]) -> Measures:
    """Measures of the blocks of pages, as jusText needs them."""
    found = columns(pages)
    return Measures(**{field.name: getattr(found, field.name) for field in fields(Measures)})


def alike(blocks: list[PlainBlock]) -> list[PlainBlock]:
    """Each block several times."""
    return [block for block in blocks for _ in range(1 + block.words % 3)]


@given(
    st.lists(st.lists(plain_blocks(), max_size=12).map(alike), max_size=4),
    st.lists(
        st.sampled_from([*PRESETS.values(), *(replace(PRESETS["A"], length_low=low) for low in (0, 3))]), min_size=1
    ),
)
def test_a_sweep_keeps_what_each_of_its_thresholds_does(pages: list[list[PlainBlock]], tried: list[Thresholds]) -> None:
    """The words of good blocks are those of JusText, although similar blocks are counted together."""
    blocks = measures(pages)
    counted = blocks.words.astype(int)
    counted[::3] = 0
    kept = [int(counted[JusText(limits).classify_measures(blocks).good].sum()) for limits in tried]
    assert Sweep(tried).words_kept(blocks, counted) == kept


@given(st.lists(plain_blocks(), max_size=20))
def test_every_block_has_one_verdict(page: list[PlainBlock]) -> None:
    """Exactly the good blocks are kept."""
    classes = JusText().classify(columns([page]))
    assert ((classes.verdicts == 0) == classes.good).all()


@pytest.mark.parametrize(
    ("block", "label", "verdict"),
    [
        (PlainBlock(), "good", "kept"),
        (PlainBlock(words=30), "near-good", "near_good"),
        (PlainBlock(stop_words=12), "bad", "stop_words"),
        (PlainBlock(words=9), "short", "short"),
        (PlainBlock(words=9, link_words=1), "bad", "short_link"),
        (PlainBlock(link_words=9), "bad", "link_density"),
        (PlainBlock(link_words=8), "good", "kept"),
        (PlainBlock(copyright=True), "bad", "copyright"),
        (PlainBlock(in_select=True), "bad", "select"),
    ],
)
def test_one_block_alone(block: PlainBlock, label: str, verdict: str) -> None:
    """The class and reason at each threshold: over means over (2.7.2)."""
    classes = JusText().classify(columns([[block]]))
    assert (LABELS[classes.context_free[0]], VERDICTS[classes.verdicts[0]]) == (label, verdict)


def test_presets_are_table_2_7() -> None:
    """Presets A to D have the published values."""
    rows = {
        name: (t.max_link_density, t.length_low, t.stopwords_low, t.length_high, t.stopwords_high)
        for name, t in PRESETS.items()
    }
    assert rows == {
        "A": (0.2, 10, 0.30, 30, 0.32),
        "B": (0.2, 0, 0.30, 26, 0.32),
        "C": (0.2, 10, 0.25, 25, 0.25),
        "D": (0.2, 10, 0.20, 20, 0.25),
    }


def test_thresholds_override_the_preset() -> None:
    """A single threshold may differ; None leaves the preset's."""
    named = algorithm("justext", "B", length_high=5, length_low=None)
    assert isinstance(named, JusText)
    assert named.thresholds == replace(PRESETS["B"], length_high=5)


@pytest.mark.parametrize(
    "arguments", [{"name": "justtext"}, {"name": "justext", "preset": "E"}, {"name": "justext", "length": 3}]
)
def test_unknown_names_are_told_the_known_ones(arguments: dict[str, str]) -> None:
    """The message lists what there is."""
    with pytest.raises(ConfigError, match=r"justext|A, B, C, D|length_low"):
        algorithm(**arguments)  # type: ignore[arg-type]
