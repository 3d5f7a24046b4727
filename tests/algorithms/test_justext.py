"""jusText against a plain reading of algorithms 2.2 and 2.3."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.algorithms.justext import PRESETS, JusText, Thresholds
from corpusprep.algorithms.registry import algorithm
from corpusprep.errors import ConfigError
from corpusprep.segmentation import TextBlock
from corpusprep.verdicts import BLOCK_REASONS, KEPT

BLOCK = TextBlock("text", "p", False, False, words=40, link_words=0, alphabetic_words=40, stop_words=20)


def plain_class(block: TextBlock, t: Thresholds) -> str:
    """Algorithm 2.2 as printed, after the rules of 2.7.1."""
    link_density = block.link_words / block.words
    stopwords_density = block.stop_words / block.alphabetic_words if block.alphabetic_words else 0
    if "©" in block.text or block.in_select:
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


@st.composite
def blocks(draw: st.DrawFn) -> TextBlock:
    """A block with counts around the thresholds."""
    words = draw(st.integers(1, 45))
    alphabetic = draw(st.integers(0, words))
    return TextBlock(
        text=draw(st.sampled_from(["text", "text", "text", "© 2011"])),
        tag="p",
        heading=False,
        in_select=draw(st.integers(0, 9)) == 0,
        words=words,
        link_words=draw(st.sampled_from([0, 0, 1, words])),
        alphabetic_words=alphabetic,
        stop_words=draw(st.integers(0, alphabetic)),
    )


@given(st.lists(blocks(), max_size=20), st.sampled_from(sorted(PRESETS)))
def test_classes_are_those_of_the_printed_algorithms(page: list[TextBlock], preset: str) -> None:
    """Both passes, for every preset."""
    classes = JusText(PRESETS[preset]).classify(page)
    expected = [plain_class(block, PRESETS[preset]) for block in page]
    assert classes.context_free == expected
    assert classes.final == plain_context(expected)


@given(st.lists(blocks(), max_size=20))
def test_every_block_has_one_verdict(page: list[TextBlock]) -> None:
    """Good blocks are kept, every other has a reason of the vocabulary."""
    classes = JusText().classify(page)
    for label, verdict in zip(classes.final, classes.verdicts, strict=True):
        assert verdict == KEPT if label == "good" else verdict in BLOCK_REASONS


@pytest.mark.parametrize(
    ("block", "label", "verdict"),
    [
        (BLOCK, "good", KEPT),
        (replace(BLOCK, words=30), "near-good", "near_good"),
        (replace(BLOCK, stop_words=12), "bad", "stop_words"),
        (replace(BLOCK, words=9), "short", "short"),
        (replace(BLOCK, words=9, link_words=1), "bad", "short_link"),
        (replace(BLOCK, link_words=9), "bad", "link_density"),
        (replace(BLOCK, link_words=8), "good", KEPT),
        (replace(BLOCK, text="© Example"), "bad", "copyright"),
        (replace(BLOCK, in_select=True), "bad", "select"),
    ],
)
def test_one_block_alone(block: TextBlock, label: str, verdict: str) -> None:
    """The class and reason at each threshold: over means over (2.7.2)."""
    classes = JusText().classify([block])
    assert (classes.context_free, classes.verdicts) == ([label], [verdict])


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


@pytest.mark.parametrize("arguments", [{"name": "justtext"}, {"preset": "E"}, {"preset": "A", "length": 3}])
def test_unknown_names_are_told_the_known_ones(arguments: dict[str, str]) -> None:
    """The message lists what there is."""
    with pytest.raises(ConfigError, match=r"justext|A, B, C, D|length_low"):
        algorithm(**arguments)  # type: ignore[arg-type]
