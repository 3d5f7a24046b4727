"""The notes under the tables: known causes of differences from the published numbers."""

_CANOLA = (
    "The public corpus has 208 final pages; the thesis had 219, kept 197 of them and split them at random. Here the "
    "split is by host, so the halves are not those of the thesis."
)
_STOP_LIST = (
    "The stop list holds the most frequent words, not the 319 function words of the thesis. At the same size it covers "
    "more of the text, so recall is higher."
)

_BOILERPIPE = (
    "ArticleExtractor and CanolaExtractor split text at all tags except links, like the thesis’s DefaultExtractor with "
    "lxml. boilerpipe’s own parser does not split at inline elements such as <b>. With its rule F1 of ArticleExtractor "
    "is 85.39 on CleanEval (here 77.70, published 79.76) and 88.05 on L3S-GN1 (here 87.33, published 88.22)."
)

#: Table -> notes.
NOTES: dict[str, list[str]] = {
    "2.2": [_CANOLA, "A run of white space counts as one character."],
    "2.3": [_CANOLA, _STOP_LIST + " The best thresholds of stop-word density are higher for the same reason."],
    "2.4": [
        _CANOLA,
    ],
    "2.5": [_CANOLA],
    "2.6": [_CANOLA],
    "2.8": [
        "Words are aligned as by difflib, but without its heuristic for popular words, which Python 2.5 always "
        "applied. With the heuristic F1 of jusText C is 0.02 points lower.",
        "The baseline is all text of the page except <head>, <script> and <style>; the thesis used the output of Lynx. "
        "The baseline lacks what Lynx adds, and includes the text of <select> and <noscript>.",
        _STOP_LIST + " With the 318 function words of scikit-learn (ENGLISH_STOP_WORDS) F1 of jusText A to D is "
        "92.88, 92.48, 94.00 and 94.51, within 0.8 points of the published.",
        "ArticleExtractor keeps one continuous text per page, which suits news.",
        _BOILERPIPE,
    ],
    "2.9": [
        "Algorithms read the original pages. In the available copy some pages have lost bytes near their beginning (an "
        "unclosed <title> is taken to end at the next tag), and some gold text was written by scripts. So the "
        "baseline’s recall is 98.4, not 100.",
        "The thesis probably read the annotated pages with the <span> tags removed. On these, without the text of "
        "<select> and <noscript>, the baseline has P 61.8 and R 99.4, and F1 of BTE is 91.95, within 0.02 points of "
        "the published. F1 of jusText A to D is then 92.4, 92.6, 93.2 and 93.1, above the published.",
        _STOP_LIST
        + " Recall of jusText A and B, which have the highest thresholds of stop-word density, rises by 3 to 4 points. "
        "With the 318 function words of scikit-learn (ENGLISH_STOP_WORDS) F1 of jusText A to D is "
        "89.78, 90.25, 92.01 and 92.21, within 0.3 points of the published.",
        _BOILERPIPE,
    ],
    "2.10": [_CANOLA, "Frequent words are from wordfreq, not from the British National Corpus."],
    "2.11": [_CANOLA],
    "Baisa 3.1": [
        "Baisa’s numbers are means over pages from his own script. Ours are means over pages of Evert’s scores, "
        "without non-ASCII characters.",
        "The scorer explains most of the difference: BTE, the same program in both theses, is also 3.4 points higher "
        "here. If the segment markers of the gold texts count as words, as in Evert’s script without its option for "
        "plain text, BTE has P 87.22 and F1 85.75, and density has 81.77 and 84.01.",
        "Density keeps more text than Baisa’s program and has lower precision. Three possible causes were tested and "
        "excluded: 14 sets of structural elements (P 80.4 to 82.0, R 88.8 to 92.0), a minimum share of the parent’s "
        "characters from 0.2 to 0.45 (P 80.8 to 82.4), and only text in paragraph elements (P 76.6 to 80.6). Without "
        "the text of links, which his thesis does not mention, P is 86.0. His pages were made valid by TagSoup, which "
        "is not used here.",
    ],
    "Baisa 3.3": [
        "Comparing the pages of a portal raises the mean F1 of density by 8.6 points here and by 3.6 points in Baisa’s "
        "thesis. Pages of a portal share a template more often than his pairs, which he chose from several kinds.",
    ],
}
