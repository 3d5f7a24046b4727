"""The notes under the tables: known causes of differences from the published numbers."""

_CANOLA = (
    "The public corpus has 208 final pages; the thesis had 219, kept 197 of them and split them at random. Here the "
    "split is by host, so the halves are not those of the thesis."
)
_BOILERPIPE = (
    "ArticleExtractor and CanolaExtractor split text at all tags except links, as the thesis’s DefaultExtractor with "
    "lxml does. The rows named Java follow boilerpipe’s program: it does not split at inline elements such as <b>, and "
    "looks at the density of lines and the title of the page. The published rows of both are those of the program; the "
    "table of causes shows the program with inline elements that split text."
)

_NCLEANER = (
    "NCLEANER is trained on CleanEval’s development pages, as published, or on Canola’s. It reads our blocks, not the "
    "output of Lynx: precision is the published one within 1.2 points, recall is 1.5 to 4 points higher, as less text "
    "is lost before the models decide. The thesis could not measure it by text nodes."
)

#: Beginning of the names of published systems that are not measured -> reason.
NOT_MEASURED = {
    "Victor": "its models are trained where the data of CleanEval and Canola and the extra [train] are.",
    "NCLEANER": "its models are trained where the data of CleanEval and Canola is.",
    "WCP (Victor)": "see Victor: its model is trained where the data is.",
}

#: Table -> notes.
NOTES: dict[str, list[str]] = {
    "2.2": [_CANOLA, "A run of white space counts as one character."],
    "2.3": [_CANOLA],
    "2.4": [_CANOLA],
    "2.5": [_CANOLA, _NCLEANER],
    "2.6": [_CANOLA, _NCLEANER],
    "2.8": [
        "Words are aligned as by difflib, but without its heuristic for popular words, which Python 2.5 always "
        "applied; see the table of causes.",
        "The baseline is all text of the page except <head>, <script> and <style>; the thesis used the output of Lynx. "
        "The baseline lacks what Lynx adds, and includes the text of <select> and <noscript>.",
        "ArticleExtractor keeps one continuous text per page, which suits news.",
        _BOILERPIPE,
        _NCLEANER,
    ],
    "2.9": [
        "Algorithms read the original pages. In the available copy some pages have lost bytes near their beginning (an "
        "unclosed <title> is taken to end at the next tag), and some gold text was written by scripts. So the "
        "baseline’s recall is 98.4, not 100.",
        "The thesis probably read the annotated pages with the <span> tags removed; see the table of causes.",
        _BOILERPIPE,
        _NCLEANER,
    ],
    "2.10": [_CANOLA, "Frequent words are from wordfreq, not from the British National Corpus."],
    "2.11": [_CANOLA],
    "Baisa 3.1": [
        "Baisa’s numbers are means over pages from his own script. Ours are means over pages of Evert’s scores, "
        "without non-ASCII characters.",
        "The table of causes shows what explains the differences.",
    ],
    "Baisa 3.3": [
        "Comparing the pages of a portal raises the mean F1 of density by 8.6 points here and by 3.6 points in Baisa’s "
        "thesis. Pages of a portal share a template more often than his pairs, which he chose from several kinds.",
    ],
}
