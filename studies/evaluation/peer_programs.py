"""Extractors that run as programs of their own, in build/peers (`make peers`) or the folder $CORPUSPREP_PEERS.

Such a program reads a page per line, as a string of JSON, and answers with a line: the text of the main content, as a
string of JSON. Mozilla's Readability needs Node.js; rs-trafilatura has wheels for some versions of Python only.
"""

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Readability on a page as jsdom reads it: no script runs and nothing is fetched.
_READABILITY = """
const { JSDOM, VirtualConsole } = require("jsdom");
const { Readability } = require("@mozilla/readability");
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  let content = "";
  try {
    const { window } = new JSDOM(JSON.parse(line), { virtualConsole: new VirtualConsole() });
    content = new Readability(window.document).parse()?.content ?? "";
    window.close();
  } catch { /* no text */ }
  console.log(JSON.stringify(content));
});
"""
_RS_TRAFILATURA = """
import json, sys
import rs_trafilatura
for line in sys.stdin:
    try:
        text = rs_trafilatura.extract(json.loads(line)).main_content or ""
    except Exception:
        text = ""
    print(json.dumps(text), flush=True)
"""


@dataclass(slots=True, frozen=True)
class Program:
    """An extractor that is a program.

    Attributes:
        title: its name in tables.
        version: returns the installed version; None if it is not installed.
        texts: returns the text of the main content of each page; empty where it fails.
    """

    title: str
    version: Callable[[], str | None]
    texts: Callable[[Sequence[str]], list[str]]


def answers(command: Sequence[str | Path], pages: Sequence[str]) -> list[str]:
    """Returns what a program answers; no text for the page that ends it and the pages behind it."""
    lines = "".join(f"{json.dumps(page)}\n" for page in pages)
    done = subprocess.run(command, cwd=_folder(), input=lines, capture_output=True, encoding="utf-8", check=False)
    # JSON of JavaScript has U+2028 as it is, so splitlines() would cut answers.
    *complete, _ = done.stdout.split("\n")
    found = [str(json.loads(line)) for line in complete]
    return found + [""] * (len(pages) - len(found))


def _readability(pages: Sequence[str]) -> list[str]:
    from lxml.html import document_fromstring

    contents = answers(["node", "--eval", _READABILITY], pages)
    return ["\n".join(map(str, document_fromstring(part).itertext())) if part.strip() else "" for part in contents]


def _readability_version() -> str | None:
    stated = _folder() / "node_modules" / "@mozilla" / "readability" / "package.json"
    return str(json.loads(stated.read_text(encoding="utf-8"))["version"]) if stated.exists() else None


def _rs_trafilatura(pages: Sequence[str]) -> list[str]:
    return answers([_folder().absolute() / "venv" / "bin" / "python", "-c", _RS_TRAFILATURA], pages)


def _rs_trafilatura_version() -> str | None:
    found = sorted(_folder().glob("venv/lib/python*/site-packages/rs_trafilatura-*.dist-info"))
    return found[0].name.removesuffix(".dist-info").partition("-")[2] if found else None


def _folder() -> Path:
    return Path(os.environ.get("CORPUSPREP_PEERS", "build/peers"))


PROGRAMS = (
    Program("Readability, jsdom", _readability_version, _readability),
    Program("rs-trafilatura", _rs_trafilatura_version, _rs_trafilatura),
)
