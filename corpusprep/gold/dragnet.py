"""Reads Dragnet's training part: pages whose gold marks readers' comments (Peters and Lecocq 2013)."""

from collections import Counter
from pathlib import Path

from corpusprep.gold.json_sets import overlapping
from corpusprep.gold.pages import Files, GoldPage, GoldSet, decode_gold, decode_page

#: The line of a gold text after which readers' comments follow.
_COMMENTS = "!@#$%^&*()  COMMENTS"


def dragnet(data: Path) -> GoldSet:
    """Reads the pages; the gold `main` is the text without readers' comments, `comments` includes them."""
    name = "dragnet-train"
    files, cases = Files(data, name), Counter[str]()
    golds, left_out = files.stems(f"{name}/gold"), overlapping(files, name)
    pages = []
    for page, path in files.stems(f"{name}/html").items():
        if page not in golds:
            cases["pages without a gold text, left out"] += 1
            continue
        main, _, comments = decode_gold(files.read(golds[page]), cases).partition(_COMMENTS)
        cases["pages with readers’ comments"] += bool(comments.strip())
        html = decode_page(files.read(path), cases)
        gold = {"main": main, "comments": f"{main}\n{comments}"}
        pages.append(GoldPage(page, html, page, gold, comments=comments.strip(), overlap=page in left_out))
    return GoldSet("dragnet", "Dragnet, training part", pages, cases=cases, data=files.digest)
