"""Pages of `browse` with lists, and what happens to their queries when nobody waits any more."""

import csv
import html
import io
import json
import re
import shlex
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from support import made_verticals
from support.made_verticals import Made
from support.served import ADDRESS, TOKEN, Served, served

from corpusprep.inspection import concordance, subcorpora
from corpusprep.inspection.browse import running
from corpusprep.inspection.concordance import _searched
from corpusprep.inspection.ending import SearchEndedError, ended_by, ending
from corpusprep.inspection.numbered_tokens import in_batches
from corpusprep.inspection.subcorpora import part_of
from corpusprep.inspection.word_lists import Corpus
from corpusprep.io.progress import track

pytestmark = pytest.mark.usefixtures("fresh_process")

#: Seconds that a query may take to end.
SOON = 20


def document(number: int, words: str, host: str) -> Made:
    """A document of one block."""
    year = 2015 + number % 3
    attributes = {
        "id": f"d{number}",
        "url": f"http://{host}/{number}",
        "host": host,
        "date": f"{year}-01-01",
        "lang": "en",
    }
    return Made(attributes, [words.split()])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two corpora: one is half about tea, the other about towns."""
    folder = tmp_path_factory.mktemp("results")
    about = [document(n, "the tea of the house is the best =tea \\tea", f"tea{n % 5}.example") for n in range(20)]
    others = [document(n, "the house of the town is the best", f"h{n % 7}.example") for n in range(30, 60)]
    made_verticals.write(folder / "tea", [about, others])
    made_verticals.write(folder / "towns", [others])
    subcorpora.save(folder / "tea", "drinks", part_of(folder / "tea", 'host="tea.*"', None))
    return folder


@pytest.fixture(scope="module")
def server(results: Path) -> Iterator[Served]:
    """The pages over them."""
    with served(results) as answering:
        yield answering


def cells(text: str) -> list[list[str]]:
    """The rows of the list of a page, without links."""
    rows = re.findall(r'<tr><th scope="row">(.*?)</tr>', text)
    return [[html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.split(r"</th>|</td>", row)[:-1]] for row in rows]


def test_words_are_those_of_the_library(server: Served, results: Path) -> None:
    """With their numbers, as a page and as files, and the command that prints them."""
    path = "/c/tea/words?" + urlencode({"attribute": "lc", "ngrams": 2, "pattern": ".*house.*", "in": "drinks"})
    text = server.ask(path).text
    words = Corpus(results / "tea").words("lc", 2, part_of(results / "tea", None, "drinks"))
    rows, listed = words.first(".*house.*")
    assert listed == 2
    assert [row[:2] for row in cells(text)] == [
        [item, str(number)] for item, number in rows.select("item", "frequency").rows()
    ]
    command = html.unescape(re.findall('this list">([^<]*)</pre>', text)[0]).replace("\\\n", "")
    options = "--attribute lc --ngrams 2 --pattern '.*house.*' --in drinks"
    assert command.split() == f"corpusprep words {results}/tea {options}".split()
    for form, link in re.findall(r'<a href="(\?[^"]*format=(\w+)[^"]*)" download>', text):
        assert form.startswith("?")
        answer = server.ask("/c/tea/words" + html.unescape(form))
        assert answer.headers["content-disposition"].startswith('attachment; filename="tea-words.')
        assert answer.headers["cache-control"] == "no-store"
        if link == "json":
            numbers = [json.loads(line)["frequency"] for line in answer.text.splitlines()]
        else:
            reader = csv.DictReader(io.StringIO(answer.text), delimiter="\t" if link == "tsv" else ",")
            numbers = [int(row["frequency"]) for row in reader]
        assert numbers == rows["frequency"].to_list()


def test_lists_have_pages(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Next leads through the whole list, each item once; every item leads to its hits."""
    whole = cells(server.ask("/c/tea/words?sort=item").text)
    monkeypatch.setattr("corpusprep.inspection.browse.lists.ROWS", 4)
    rows, path = [], "/c/tea/words?sort=item"
    while path:
        text = server.ask(path).text
        rows += cells(text)
        following = re.search(r'<a rel="next" href="([^"]*)">', text)
        path = f"/c/tea/words{html.unescape(following[1])}" if following else ""
    assert rows == whole
    assert len(whole) == len({row[0] for row in whole}) == 9
    for link in re.findall(
        r'href="/a-token(/c/tea/concordance[^"]*)"><bdi>(?:house|=tea)</bdi>', server.ask("/c/tea/words").text
    ):
        assert '<td class="left">' in server.ask(html.unescape(link)).text


@pytest.mark.parametrize(
    ("path", "first", "summary"),
    [
        ({"in": "drinks"}, "tea", "200 tokens against the rest of the corpus"),
        ({"reference": "towns"}, "tea", "against towns"),
        ({"reference": "wordfreq"}, "tea", "against wordfreq (en)"),
        ({"reference": "towns", "ngrams": 3, "where": 'host="tea.*"'}, "tea of the", "against towns"),
    ],
)
def test_keywords(path: dict[str, object], first: str, summary: str, server: Served) -> None:
    """Against the rest, another corpus of the folder, and wordfreq."""
    text = server.ask(f"/c/tea/keywords?{urlencode(path)}").text
    assert first in [row[0] for row in cells(text)]
    assert summary in text


def test_collocations(server: Served) -> None:
    """Of a query; its hits are counted. Without a query, nothing is listed."""
    text = server.ask("/c/tea/collocations?query=best&left=1&right=0&least=1").text
    assert [row[:3] for row in cells(text)] == [["the", "50", "150"]]
    assert "50 hits" in text
    [link] = re.findall(rf'<th scope="row"><a href="/{TOKEN}([^"]*)"', text)
    lines = server.ask(html.unescape(link)).text
    assert re.findall('<td class="keyword"><bdi>([^<]*)', lines) == ["the best"] * 50
    assert cells(server.ask("/c/tea/collocations").text) == []
    only = {"query": "best", "left": 5, "right": 0, "collocates": '[lc="i.*" & word!="in"]'}
    text = server.ask("/c/tea/collocations?" + urlencode(only)).text
    assert [row[:3] for row in cells(text)] == [["is", "50", "50"]]
    assert "--collocates " in html.unescape(text)
    [link] = re.findall(rf'<th scope="row"><a href="/{TOKEN}([^"]*)"', text)
    lines = server.ask(html.unescape(link)).text
    assert re.findall('<td class="keyword"><bdi>([^<]*)', lines) == ["is the best"] * 50


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("words?pattern=%5B", "pattern: "),
        ("words?where=colour%3D%22red%22", "no document of the corpus has the attribute colour"),
        ("words?in=none", "no subcorpus none; there is drinks"),
        ("keywords?reference=wordfreq&ngrams=2", "wordfreq has words in lower case only"),
        ("collocations?query=%22a", "at character "),
        ("collocations?query=tea&left=0&right=0", "window 0,0"),
    ],
)
def test_what_is_wrong_is_said_on_the_page(path: str, said: str, server: Served) -> None:
    """The form stays, with what was written in it."""
    text = server.ask(f"/c/tea/{path}").text
    assert said in html.unescape(re.findall('role="alert">([^<]*)<', text)[0])
    assert "<form" in text


def test_a_concordance_of_some_documents(server: Served, results: Path) -> None:
    """Under a condition, or of a subcorpus; from a line to the block of its page."""
    whole = server.ask("/c/tea/concordance?pattern=house").text
    some = server.ask("/c/tea/concordance?pattern=house&in=drinks").text
    same = server.ask("/c/tea/concordance?pattern=house&where=" + quote('host="tea.*"')).text
    numbers = [len(re.findall('<td class="left">', text)) for text in (whole, some, same)]
    assert numbers == [50, 20, 20]
    command = html.unescape(re.findall('these lines">([^<]*)</pre>', same)[0]).replace("\\\n", "")
    assert shlex.split(command)[-4:] == [f"{results}/tea", "house", "--where", 'host="tea.*"']
    assert re.search(rf'href="/{TOKEN}/search\?corpus=tea&amp;q=d\d+#b\d+"', some)


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("words", {"attribute": "lc", "ngrams": "2"}),
        ("distribution", {"pattern": "house", "by": "host"}),
        ("concordance", {"pattern": "house", "sort": "left"}),
    ],
)
def test_parts_are_saved(page: str, fields: dict[str, str], server: Served, results: Path) -> None:
    """A page with a condition has a form that saves it; what it leads to has all else that was chosen."""
    condition = 'host="h1.*"'
    text = server.ask(f"/c/towns/{page}?" + urlencode(fields | {"where": condition})).text
    assert 'action="/a-token/c/towns/parts"' in text
    assert "/parts" not in server.ask(f"/c/towns/{page}?" + urlencode(fields)).text
    hidden = dict(re.findall('type="hidden" name="([^"]*)" value="([^"]*)"', text))
    form = {name: html.unescape(value) for name, value in hidden.items()}
    answer = server.post("/c/towns/parts", urlencode(form | {"name": "ones"}))
    assert answer.status == 303
    assert subcorpora.saved(results / "towns") == {"ones": condition}
    again = server.ask(answer.headers["location"].removeprefix(f"/{TOKEN}")).text
    shown, shown_again = (
        re.sub("<[^>]*>", "", re.findall("(?s)<tbody>(.*)</tbody>", each)[0]) for each in (text, again)
    )
    assert shown == shown_again
    assert "<option selected>ones</option>" in again
    for wrong, status in (
        ({"name": "a b"}, 400),
        ({"name": "ones", "page": "x"}, 404),
        ({"where": "", "name": "w"}, 400),
    ):
        assert server.post("/c/towns/parts", urlencode(form | wrong)).status == status
    assert subcorpora.saved(results / "towns") == {"ones": 'host="h1.*"'}


def test_a_query_says_how_much_is_done(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it runs, and only then; of its corpus."""
    said: list[str] = []

    def breakdown(*_: object, **__: object) -> None:
        batches = track(range(3), "words: batches", 3)
        said.extend(json.loads(server.ask("/c/tea/done").text)["done"] for _ in batches)
        said.append(json.loads(server.ask("/c/towns/done").text)["done"])
        raise SearchEndedError

    monkeypatch.setattr("corpusprep.inspection.browse.distributions.breakdown", breakdown)
    server.ask("/c/tea/distribution")
    assert said == ["", "words: batches: 1 of 3", "words: batches: 2 of 3", ""]
    assert json.loads(server.ask("/c/tea/done").text) == {"done": ""}


@pytest.mark.parametrize("path", ["concordance?pattern=the&sort=left", "distribution?pattern=the&by=host"])
def test_a_search_says_how_much_is_done(path: str, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """By batches, and by hits, which also rise inside a batch."""
    said: list[str] = []

    def searched(*arguments: Any) -> Iterator[Any]:
        for part in _searched(*arguments):
            yield part
            said.append(json.loads(server.ask("/c/tea/done").text)["done"])

    monkeypatch.setattr(concordance, "_searched", searched)
    assert server.ask(f"/c/tea/{path}").status == 200
    assert said[-1] == "hits: batches: 2 of 2; 150 hits"
    assert said[0].startswith("hits: batches: 0 of 2; ")


def test_queries_end_when_nobody_waits(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that leaves ends its query; quick pages do not wait for queries that run."""
    begun, ended = threading.Semaphore(0), threading.Semaphore(0)

    def search(*_: object, **__: object) -> Iterator[object]:
        ends = ending()
        begun.release()
        while not ends():
            threading.Event().wait(0.01)
        ended.release()
        raise SearchEndedError

    monkeypatch.setattr("corpusprep.inspection.browse.concordances.concordance.search", search)
    waiting = [socket.create_connection((ADDRESS, server.port)) for _ in range(running.AT_ONCE + 2)]
    for opened in waiting:
        host = f"Host: {ADDRESS}:{server.port}"
        opened.sendall(f"GET /{TOKEN}/c/tea/concordance?pattern=x HTTP/1.1\r\n{host}\r\n\r\n".encode())
    for _ in range(running.AT_ONCE):
        assert begun.acquire(timeout=SOON)
    assert server.ask("/c/tea/pages").status in (200, 400)
    for opened in reversed(waiting):  # those that have not begun never do, or end at once
        opened.close()
    for _ in range(running.AT_ONCE):
        assert ended.acquire(timeout=SOON)
    assert server.ask("/c/tea/collocations?query=best").status == 200


def test_counting_ends(results: Path) -> None:
    """Between two pieces of a batch, in any thread; nothing unfinished stays."""
    corpus = Corpus(results / "towns", threads=2)
    with ended_by(lambda: True):
        with pytest.raises(SearchEndedError):
            corpus.words("word", 4)
        with pytest.raises(SearchEndedError):
            list(in_batches(["a", "b"], lambda number, batch: _ended(), 2))
    assert not list((results / "towns").glob("word-lists/*-4.parquet"))
    assert corpus.words("word", 4).first()[1] > 0


def _ended() -> None:
    if ending()():
        raise SearchEndedError
