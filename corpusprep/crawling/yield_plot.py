"""Draws a table of yields: the clean text by bytes fetched, and the yield of hosts by their documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from corpusprep.crawling.yields import LEAST_DOCUMENTS, threshold
from corpusprep.errors import ConfigError
from corpusprep.io.files import replacing

FORMATS = ("svg", "png", "pdf")
#: Hosts that have a colour and a name: those with most clean bytes.
_NAMED = 8
_STYLE: Any = {"svg.fonttype": "none", "svg.hashsalt": "corpusprep", "font.family": "sans-serif", "font.size": 9}
_NO_METADATA = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}


def draw(rows: Sequence[dict[str, str]], path: Path) -> None:
    """Draws a table of yields into a file; the end of its name says the format.

    Raises:
        ConfigError: the format is none of FORMATS.
    """
    kind = path.suffix[1:].lower()
    if kind not in FORMATS:
        raise ConfigError(f"{path}: a figure is {', '.join(FORMATS[:-1])} or {FORMATS[-1]}; name it so")
    with style.context(_STYLE):
        figure = Figure(figsize=(10, 3.6), layout="constrained")
        whole, hosts = figure.subplots(1, 2)
        _draw_whole(whole, rows)
        _draw_hosts(hosts, rows)
        with replacing(path) as temporary:
            figure.savefig(temporary, format=kind, dpi=120, metadata=_NO_METADATA[kind])


def _draw_whole(axes: Any, rows: Sequence[dict[str, str]]) -> None:
    """Draws the sum over all hosts."""
    points = [(0.0, 0.0), *((int(row["fetched"]) / 1e6, int(row["clean"]) / 1e6) for row in rows)]
    axes.plot(*zip(*points, strict=True), color="#1f5fa8")
    axes.set(xlabel="MB fetched", ylabel="MB of clean text", xlim=(0, None), ylim=(0, None))
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.set_title("The crawl", fontsize=10)


def _draw_hosts(axes: Any, rows: Sequence[dict[str, str]]) -> None:
    """Draws each host, and the threshold."""
    lines: dict[str, list[tuple[int, float]]] = {}
    clean: dict[str, int] = {}
    for row in rows:
        lines.setdefault(row["host"], []).append((int(row["documents"]), float(row["yield"])))
        clean[row["host"]] = int(row["clean_bytes"])
    named = sorted(clean, key=lambda host: (-clean[host], host))[:_NAMED]
    for host, points in lines.items():
        if host not in named:
            axes.plot(*zip(*points, strict=True), color="#b0b0b0", linewidth=0.7)
    for host in named:
        axes.plot(*zip(*lines[host], strict=True), linewidth=1.2, label=host if len(host) < 28 else host[:27] + "…")
    most = max((documents for points in lines.values() for documents, _ in points), default=LEAST_DOCUMENTS)
    steps = sorted({LEAST_DOCUMENTS, *(LEAST_DOCUMENTS * 2**power for power in range(24)), most})
    steps = [step for step in steps if LEAST_DOCUMENTS <= step <= max(most, LEAST_DOCUMENTS)]
    axes.plot(steps, [threshold(step) for step in steps], color="#b3261e", linestyle="--", label="threshold")
    axes.set(xscale="log", xlabel="documents of the host", ylabel="clean bytes per byte fetched", ylim=(0, None))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_title("The hosts", fontsize=10)
    axes.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
