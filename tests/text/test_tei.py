"""The bodies of TEI documents: whatever blocks there are, they are valid, and say the types and order of the blocks."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from corpusprep.text.tei import body

SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).parents[1] / "corpus" / "tei.rng"))
HEADER = (
    "<teiHeader><fileDesc><titleStmt><title/></titleStmt><publicationStmt><p/></publicationStmt><sourceDesc><p/>"
    "</sourceDesc></fileDesc></teiHeader>"
)
TYPES = {"head": "h", "item": "l", "p": "p"}


def parsed(types: list[str]) -> etree._Element:
    """The body of blocks with these types, numbered; valid."""
    blocks = ((kind, f' n="{number}"', ["a ", f"<w>{number}</w>"]) for number, kind in enumerate(types))
    text = f"<text><body>\n{''.join(body(blocks))}</body></text>"
    corpus = etree.fromstring(
        f'<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">{HEADER}<TEI>{HEADER}{text}</TEI></teiCorpus>'
    )
    assert SCHEMA.validate(corpus), SCHEMA.error_log.last_error
    [made] = corpus.iter("{*}body")
    return made


@given(st.lists(st.sampled_from("hlp"), max_size=12))
def test_any_blocks(types: list[str]) -> None:
    """Each block is the element of its type, in order; one without blocks has an empty paragraph."""
    blocks = list(parsed(types).iter("{*}head", "{*}item", "{*}p"))
    assert [TYPES[etree.QName(block).localname] for block in blocks] == (types or ["p"])
    assert [block.get("n") for block in blocks] == ([str(number) for number in range(len(types))] or [None])


def test_divisions_and_lists() -> None:
    """A heading opens a division up to the next one; items that follow each other are one list."""
    names = [etree.QName(element).localname for element in parsed(list("pllhlphhl")).iter()]
    assert " ".join(name for name in names if name != "w") == (
        "body p list item item div head list item p div head div head list item"
    )
