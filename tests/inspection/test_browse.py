"""The server of `browse`: who gets an answer, and what is in it."""

import html
import itertools
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from support.made_results import Results
from support.served import TOKEN, Served, served

from corpusprep.errors import ConfigError, StageFileError
from corpusprep.inspection.audit import sampling, sheets
from corpusprep.inspection.browse import corpora, judging
from corpusprep.inspection.browse.server import listening
from corpusprep.io import sheets as spreadsheets
from corpusprep.io.readable import printable
from corpusprep.report import audit
from corpusprep.tables.crawl_files import division_file
from corpusprep.tables.verdicts import KEPT

BATCH = f"b{0:016x}"
#: Every kind of page.
PATHS = [
    "/",
    "/search?q=%3Cscript%3Ealert(1)%3C/script%3E",
    "/search?q=news.example.org",
    "/c/hostile/pages",
    f"/c/hostile/pages?batch={BATCH}&fate=removed",
    f"/c/hostile/page/{BATCH}/0",
    "/c/hostile/concordance?pattern=%3Cimg%20src=x%3E",
    "/c/hostile/distribution?pattern=corpus&by=title",
    "/c/hostile/distribution?by=%3Cimg%20src=x%3E",
    "/c/hostile/words?pattern=.*%3C.*",
    "/c/hostile/keywords?measure=simple-maths&where=%3Cimg",
    "/c/hostile/collocations?query=%3Cscript%3E",
    "/c/hostile/thresholds",
    "/c/rules/thresholds",
    "/c/learned/thresholds?threshold=0.9",
    "/c/filtered/filter?near=%3Cimg",
    "/c/hostile/audit",
    "/c/%3Cscript%3E/pages",
]


@pytest.fixture(scope="module")
def server(results: Results) -> Iterator[Served]:
    """The pages over the made-up corpora."""
    with served(results.folder) as found:
        yield found


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 200),
        ("/", {"Host": "localhost:{port}"}, 200),
        ("/", {"Host": "evil.example:{port}"}, 421),
        ("/", {"Host": "127.0.0.1"}, 421),
        ("/", {"Host": "127.0.0.1:{port}.evil.example"}, 421),
        ("///", {}, 404),
        ("//wrong-token/", {}, 404),
        (f"//{TOKEN}x/", {}, 404),
        (f"//x/{TOKEN}/", {}, 404),
    ],
)
def test_only_the_whole_address_is_answered(path: str, headers: dict[str, str], status: int, server: Served) -> None:
    """Another host, which leads here by DNS rebinding, or another token gives nothing."""
    given = {name: value.format(port=server.port) for name, value in headers.items()}
    answer = server.ask(path, headers=given)
    assert answer.status == status
    assert ("hostile" in answer.text) == (status == 200)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:{port}", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null", "Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_pages_change_nothing(headers: dict[str, str], server: Served, results: Results) -> None:
    """A form of another site is refused, even if it knows the token."""
    given = {name: value.format(port=server.port) for name, value in headers.items()}
    answer = server.ask("/c/hostile/audit/start", "POST", "annotator=eve", given)
    assert answer.status == 403
    assert not (results.hostile.folder / "audit" / "sheet-eve.tsv").exists()


@pytest.mark.parametrize("sort", ["", "right"])
def test_concordances_have_pages(sort: str, server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Next leads through all lines, each once and in one order; the last page says that there are more.

    Sorted lines are a sample, so the number that is drawn must be the same for the whole list and its pages.
    """
    shown = 10
    monkeypatch.setattr("corpusprep.inspection.browse.concordances.DRAWN", shown)
    monkeypatch.setattr("corpusprep.inspection.browse.concordances.LINES", shown)
    every = f"/c/hostile/concordance?pattern=%5Bword%3D%22.%2A%22%5D&stage=crawl&sort={sort}"
    lines = re.findall('<td class="left">.*', server.ask(every).text)
    assert len(set(lines)) == shown
    monkeypatch.setattr("corpusprep.inspection.browse.concordances.LINES", 3)
    monkeypatch.setattr("corpusprep.inspection.browse.concordances.PAGES", 2)
    pages, path, last = [], every, ""
    while path:
        last = server.ask(path).text
        pages.append(re.findall('<td class="left">.*', last))
        link = re.search(r'<a rel="next" href="([^"]*)">', last)
        path = f"/c/hostile/concordance{html.unescape(link[1])}" if link else ""
    # As found, PAGES pages; sorted, as many as the sample needs: its last line is on a page of its own.
    assert [len(page) for page in pages] == ([3, 3, 3, 1] if sort else [3, 3])
    assert [*itertools.chain(*pages)] == lines[: sum(map(len, pages))]
    assert "This is the last page" in last
    assert 'rel="prev"' in last


def test_other_methods_are_refused(server: Served) -> None:
    """DELETE and PUT give nothing, also with the token."""
    assert {server.ask("/", method).status for method in ("DELETE", "PUT", "OPTIONS", "TRACE")} == {405}


def test_the_socket_is_of_this_machine_only() -> None:
    """It is bound to 127.0.0.1; a port that is taken gives one line."""
    with listening() as (opened, port):
        assert opened.getsockname() == ("127.0.0.1", port)
        with pytest.raises(ConfigError, match=f"port {port}: "), listening(port):
            pass
    assert socket.gethostbyname("localhost") == "127.0.0.1"


@pytest.mark.parametrize("path", PATHS)
def test_every_page_is_guarded_and_text_stays_text(path: str, server: Served) -> None:
    """Each answer has the headers; no tag or attribute comes from a page, an address or a URL of the crawl."""
    answer = server.ask(path)
    assert answer.status in (200, 303, 400, 404)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    tags = re.findall(r"<([a-zA-Z][a-zA-Z0-9]*)", answer.text)
    assert set(tags).isdisjoint({"img", "iframe", "style", "object", "svg", "b"})
    assert re.findall(r"<script[^>]*>", answer.text) == [f'<script src="/{TOKEN}/static/browse.js" defer>'] * (
        answer.status != 303
    )
    assert re.findall(r"\s(?:on\w+|style)=", re.sub(r">[^<]*<|\"[^\"]*\"", "", answer.text)) == []


def test_hostile_pages_show_their_text(server: Served, results: Results) -> None:
    """A page has the text of all its blocks; removed ones are in `details`."""
    number, record = next(
        (number, record)
        for number, record in enumerate(results.hostile.batches[BATCH])
        if record.kept_blocks and any("<script>" in block.text for block in record.blocks)
    )
    answer = server.ask(f"/c/hostile/page/{BATCH}/{number}")
    folded = "".join(re.findall(r"<details.*?</details>", answer.text, re.DOTALL))
    for block in record.blocks:
        shown = (
            html.escape(printable(block.text[:60], 60), quote=True)
            .replace("&#x27;", "&#39;")
            .replace("&quot;", "&#34;")
        )
        assert shown in answer.text
        assert (shown in folded) or block.last == KEPT
    assert html.unescape(answer.text).count('<script>alert("pwned")</script>') > 0


@pytest.mark.parametrize(
    "path",
    [
        "/c/languages/pages",
        "/c/..%2Fhostile/pages",
        "/c/%2e%2e/pages",
        "/static/..%2fserver.py",
        "/c/hostile/pages?batch=../../x",
        "/c/hostile/page/..%2F..%2Fx/0",
        "/c/hostile/audit/judge?sheet=../../hostile/audit/sheet.tsv",
        "/c/hostile/audit/judge?sheet=sheet.key.tsv",
    ],
)
def test_paths_lead_nowhere_else(path: str, server: Served) -> None:
    """Only names of corpora, batches and sheets that are there lead to files."""
    assert server.ask(path).status in (400, 404)


def test_pages_are_listed_with_what_became_of_them(results: Results) -> None:
    """All pages of a batch, in pieces, with the stage that removed each."""
    found: list[corpora.ListedPage] = []
    while more := corpora.pages(results.hostile.folder, BATCH, found[-1].record if found else -1):
        found += more
    expected = {}
    for number, record in enumerate(results.hostile.batches[BATCH]):
        if record.page is None:
            continue
        if record.page != KEPT:
            expected[number] = ("boilerplate", record.page)
        elif record.language != KEPT:
            expected[number] = ("language", record.language)
        elif record.document != KEPT:
            expected[number] = ("documents", record.document)
        else:
            expected[number] = ("", KEPT) if record.kept_blocks else ("blocks", "no_block_left")
    assert {page.record: (page.stage, page.reason) for page in found} == expected
    kept = corpora.pages(results.hostile.folder, BATCH, fate="kept")
    assert [page.record for page in kept] == [number for number, (stage, _) in expected.items() if not stage]


def test_a_search_finds_addresses_hosts_and_what_is_near(server: Served, results: Results) -> None:
    """One record leads to its page; a host to its records; an unknown address to the nearest ones."""
    record = results.hostile.batches[BATCH][3]
    answer = server.ask(f"/search?q={quote(record.url, safe='')}")
    assert (answer.status, answer.headers["location"]) == (303, f"/{TOKEN}/c/hostile/page/{BATCH}/3")
    answer = server.ask(f"/search?q={record.host}&corpus=hostile")
    assert f"{sum(one.host == record.host for one in results.hostile.records)} records" in answer.text
    answer = server.ask("/search?q=https://news.example.org/0/nothing")
    assert "The nearest addresses:" in answer.text
    assert "https://news.example.org/" in answer.text


def test_sliders_count_on_the_server(server: Served) -> None:
    """The script gets words, reasons and settings; a wrong value gives a message."""
    answer = json.loads(server.ask("/c/rules/thresholds/count?length_low=2").text)
    assert "length_low: 2" in answer["config"]
    assert "--length-low 2" in answer["recut"]
    assert len(answer["reasons"]) == len(answer["changed"]) > 20
    wrong = server.ask("/c/rules/thresholds/count?length_low=x")
    assert (wrong.status, json.loads(wrong.text)) == (400, {"error": "length_low is 'x'; write a number"})
    page = server.ask("/c/rules/thresholds?length_low=2").text
    assert html.escape(answer["summary"]) in page
    assert "stores no scores" in server.ask("/c/hostile/thresholds").text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/c/hostile/page/{BATCH}/{'9' * 5_000}", 404),
        (f"/c/hostile/page/{BATCH}/-1", 404),
        (f"/c/hostile/page/{BATCH}/x", 404),
        (f"/c/rules/thresholds?length_low={'9' * 400}", 400),
        (f"/c/rules/thresholds/count?length_low={'9' * 400}", 400),
        (f"/c/rules/thresholds/count?length_low={'9' * 4_400}", 400),
    ],
)
def test_numbers_that_are_too_long_give_a_message(path: str, status: int, server: Served) -> None:
    """As other wrong values do."""
    answer = server.ask(path)
    assert answer.status == status
    assert "Traceback" not in answer.text


def test_a_unit_is_judged_in_the_sheet_of_the_annotator(server: Served, results: Results) -> None:
    """Judgements go into the annotator's sheet, which the command line reads; the sheet stays blind."""
    folder = results.hostile.folder
    (folder / "audit").mkdir()
    try:
        sheets.write(folder / "audit" / "sheet.tsv", *sampling.draw(folder, 20, 4))
        started = server.post("/c/hostile/audit/start", "annotator=anna")
        assert started.headers["location"].endswith("/audit/judge?sheet=sheet-anna.tsv")
        units = [row for _, row in spreadsheets.read(folder / "audit" / "sheet.tsv", sheets.SHEET_COLUMNS)]
        for number, row in enumerate(units):
            page = server.ask("/c/hostile/audit/judge?sheet=sheet-anna.tsv")
            assert f'value="{row["id"]}"' in page.text
            assert not any(f">{stage}" in page.text for stage in ("boilerplate", "language", "documents", "blocks"))
            form = f"sheet=sheet-anna.tsv&id={row['id']}&judgement={'good' if number % 3 else 'bad'}"
            assert server.post("/c/hostile/audit/judged", form).status == 303
        assert "All units are judged" in server.ask("/c/hostile/audit/judge?sheet=sheet-anna.tsv").text
        after = [row for _, row in spreadsheets.read(folder / "audit" / "sheet-anna.tsv", sheets.SHEET_COLUMNS)]
        assert [{**row, "judgement": ""} for row in after] == units
        assert [progress.judged for progress in judging.annotators(folder)] == [24]
        assert server.post("/c/hostile/audit/score", "").status == 303
        assert audit.scores(folder)
        assert "Precision and recall" in server.ask("/c/hostile/audit").text
        for form in ("sheet=sheet-anna.tsv&id=nobody&judgement=good", f"sheet=sheet-anna.tsv&id={units[0]['id']}"):
            assert server.post("/c/hostile/audit/judged", form).status == 400
        assert server.post("/c/hostile/audit/start", "annotator=../x").status == 400
        assert server.post("/c/hostile/audit/start", "annotator=" + "x" * 20_000).status == 413
    finally:
        shutil.rmtree(folder / "audit")


def test_no_judgement_of_two_servers_is_lost(tmp_path: Path) -> None:
    """Two processes store judgements on one sheet at the same time."""
    path = tmp_path / "audit" / "sheet-anna.tsv"
    spreadsheets.write(path, sheets.SHEET_COLUMNS, [[str(number), "block", "", "text", "", ""] for number in range(60)])
    code = """
        import sys
        from pathlib import Path
        from corpusprep.inspection.browse import judging
        for number in range(int(sys.argv[2]), 60, 2):
            judging.judge(Path(sys.argv[1]), "sheet-anna.tsv", str(number), "good")
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)]
    with subprocess.Popen([*command, "0"]) as first, subprocess.Popen([*command, "1"]) as second:
        assert (first.wait(), second.wait()) == (0, 0)
    [progress] = judging.annotators(tmp_path)
    assert (progress.judged, progress.units) == (60, 60)


def test_further_columns_of_a_sheet_stay(tmp_path: Path) -> None:
    """What an annotator has added by hand is there after a judgement in the browser."""
    path = tmp_path / "audit" / "sheet-anna.tsv"
    path.parent.mkdir()
    columns = [*sheets.SHEET_COLUMNS[:2], "remark", *sheets.SHEET_COLUMNS[2:], "other"]
    cells = [[f"{name} {number}" for name in columns] for number in range(2)]
    spreadsheets.write_cells(path, columns, cells)
    judging.judge(tmp_path, path.name, cells[1][columns.index("id")], "good")
    cells[1][columns.index("judgement")] = "good"
    assert path.read_text(encoding="utf-8").splitlines() == ["\t".join(row) for row in (columns, *cells)]


def test_corpora_that_are_damaged_or_half_built_are_listed(results: Results, tmp_path: Path) -> None:
    """One says what is wrong with it, and the others are shown."""
    for name in ("rules", "hostile"):
        shutil.copytree(results.folder / name, tmp_path / name)
    (tmp_path / "hostile" / "statistics" / "corpus_size.tsv").write_text("damaged\n", encoding="utf-8")
    found = {name: corpora.describe(name, folder) for name, folder in corpora.folders(tmp_path).items()}
    assert "not finished" in found["rules"].problem
    assert "damaged, or changed by hand" in found["hostile"].problem
    with served(tmp_path) as one:
        assert "damaged, or changed by hand" in one.ask("/").text
    with pytest.raises(StageFileError, match="no corpus here"):
        corpora.folders(tmp_path / "rules" / "pages")
    assert list(corpora.folders(tmp_path / "rules")) == ["rules"]


def test_a_crawl_is_shown_as_the_corpora_of_its_languages(results: Results, tmp_path: Path) -> None:
    """Every page of a language works; only the whole crawl can be recut, so the command names it."""
    shutil.copytree(results.folder / "rules", tmp_path / "news" / "en")
    shutil.copytree(results.folder / "learned", tmp_path / "news" / "cs")
    (tmp_path / "news" / "batches.tsv").touch()
    assert list(corpora.folders(tmp_path)) == ["news"]  # it is not divided yet
    division_file(tmp_path / "news").touch()
    expected = {"news/cs": tmp_path / "news" / "cs", "news/en": tmp_path / "news" / "en"}
    assert corpora.folders(tmp_path) == corpora.folders(tmp_path / "news") == expected
    assert list(corpora.folders(tmp_path / "news" / "en")) == ["en"]
    for folder in (tmp_path, tmp_path / "news"):
        with served(folder) as one:
            assert re.findall('<h2 id="[^"]*"><bdi>([^<]*)', one.ask("/").text) == ["news/cs", "news/en"]
            links = set(re.findall(rf'href="/{TOKEN}(/c/news/[^"]*)"', one.ask("/").text))
            assert len(links) == 20
            assert {one.ask(link).status for link in links if not link.endswith(("/report", "/filter"))} == {200}
            assert f"corpusprep recut {tmp_path}/news " in one.ask("/c/news/en/thresholds").text
            assert f"audit sample {tmp_path}/news/en<" in one.ask("/c/news/en/audit").text
            assert one.ask("/c/news/../news/pages").status == 404


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_whatever_it_answers(number: signal.Signals, results: Results) -> None:
    """Also while a request waits that nothing can end."""
    code = """
        import sys, time
        from corpusprep.commands.application import main
        from corpusprep.inspection import concordance
        concordance.search = lambda *_, **__: time.sleep(10_000)
        main(["browse", sys.argv[1]])
    """
    command = [sys.executable, "-u", "-c", textwrap.dedent(code), str(results.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            place = urlsplit(f"{address}c/hostile/concordance?pattern=tea")
            with socket.create_connection((place.hostname, place.port)) as asking:
                asking.sendall(
                    f"GET {place.path}?{place.query} HTTP/1.1\\r\\nHost: {place.netloc}\\r\\n\\r\\n".encode()
                )
                asking.settimeout(1)
                with pytest.raises(TimeoutError):
                    asking.recv(1)
                process.send_signal(number)
                assert process.wait(60) in (128 + number, 0)
        finally:
            process.kill()
