"""Pages in several languages: one cut measures each as its language does."""

from dataclasses import fields

import numpy as np
import pytest

from corpusprep import languages
from corpusprep._native import pages as native
from corpusprep.cleaners import registry
from corpusprep.extraction.page_languages import SegmenterOfLanguages, page_languages
from corpusprep.languages.known_languages import KnownLanguages
from corpusprep.pages import html
from corpusprep.pages.segmentation import Blocks, Segmenter

CHINESE = "市长说，新的大桥将在今年开放，如果天气足够好的话，我们希望这个城市的人民都能来参加。"
PAGES = {
    "en": "<h1>The <b>b</b>ridge</h1><p>The mayor of the town said that the new bridge would open this year, and it was"
    " good.<p><a href=x>More of it</a> and the-rest",
    "cs": "<p>Starosta města řekl, že nový most bude otevřen ještě letos, když to počasí dovolí, a že se na to těší.",
    "zh": f"<p>{CHINESE}<a href=x>更多<b>新闻</b></a> of the BBC 2024<p>{CHINESE}",
    None: "<p>1234 56",
}


@pytest.fixture(scope="module")
def known() -> KnownLanguages:
    """English, Czech and Chinese."""
    return KnownLanguages([languages.get(code) for code in PAGES if code])


@pytest.mark.parametrize("algorithm", ["content", "bte"])
def test_each_page_is_measured_as_its_language(known: KnownLanguages, algorithm: str) -> None:
    """All columns, and the pieces of text, are those of a segmenter for the language of the page alone."""
    classifier = registry.algorithm(algorithm)
    together = SegmenterOfLanguages(known, classifier)
    order = [*PAGES, "zh", "en"]
    for _ in range(2):  # what was taken is forgotten
        for code in order:
            together.add(html.parse(PAGES[code]))
        together.add(None)
        found = together.take()
        alone = []
        for code in order:
            model = known.models[code] if code else None
            listed = (model.stop_words, model.characters_per_word) if model else ((), 0.0)
            segmenter = Segmenter(*listed, structure=classifier.needs_structure, model=classifier.block_model)
            segmenter.add(html.parse(PAGES[code]))
            alone.append(segmenter.take())
        assert page_languages(known, found) == [*order, None]
        for name in ("words", "link_words", "alphabetic_words", "stop_words", "tags", "flags"):
            assert getattr(found, name).tolist() == np.concatenate([getattr(one, name) for one in alone]).tolist(), name
        assert found.stop_words.sum() > 20
        _same_pieces(found, alone)
        if found.features is not None and found.features.scores is not None:
            scores = [one.features.scores for one in alone if one.features is not None]
            assert found.features.scores.tolist() == np.concatenate(scores).tolist()


@pytest.mark.parametrize(
    ("page", "expected"),
    [("<p>a ก", True), ("<p>一<p>a", True), ("<p>ж क – € 한 😀", False), ("<p>1", False), (None, False)],
)
def test_a_page_tells_whether_its_scripts_have_spaces(page: str | None, expected: bool) -> None:
    """Only the page that was added last counts."""
    segmenter = native.Segmenter((), 0.0)
    assert not segmenter.last_without_spaces()
    for before in ("<p>x", f"<p>{CHINESE}"):
        segmenter.add(html.parse(before))
        segmenter.add(None if page is None else html.parse(page))
        assert segmenter.last_without_spaces() == expected
    assert plain_text(page or "") == expected
    segmenter.take()
    assert not segmenter.last_without_spaces()


def plain_text(text: str) -> bool:
    """The oracle: whether a character has the number of one of these scripts; a few of them suffice here."""
    return any("\u0e00" <= character <= "\u0eff" or "\u4e00" <= character <= "\u9fff" for character in text)


def _same_pieces(found: Blocks, alone: list[Blocks]) -> None:
    """The pieces of the pages together are those of the pages alone."""
    assert (found.structure is None) == (alone[0].structure is None)
    if found.structure is not None:
        for field in fields(found.structure):
            if field.name in ("words", "link_words", "markup", "flags"):
                pieces = [getattr(one.structure, field.name) for one in alone]
                assert getattr(found.structure, field.name).tolist() == np.concatenate(pieces).tolist(), field.name
