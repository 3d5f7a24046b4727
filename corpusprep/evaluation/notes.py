"""Why numbers differ from the published ones: the causes found, by table."""

_CANOLA = (
    "The public corpus has 208 pages, the thesis had 219 and drew its halves at random; here pages with an "
    "unannotated text node are left out too, and the halves are made of hosts, so the same pages are never compared."
)
_STOP_LIST = (
    "The stop list is that of the most frequent words, not the functional words of the thesis: it covers more running "
    "words at the same size, so recall is a little higher."
)

#: Table -> notes.
NOTES: dict[str, list[str]] = {
    "2.2": [_CANOLA, "Characters are counted with white space folded."],
    "2.3": [_CANOLA, _STOP_LIST + " The best thresholds of stop-word density are higher for the same reason."],
    "2.4": [_CANOLA],
    "2.5": [_CANOLA, _STOP_LIST],
    "2.6": [_CANOLA, _STOP_LIST],
    "2.8": [
        "Alignment is difflib’s without its heuristic of popular words, which Python 2.5 always applied: with it, F1 "
        "of jusText C falls by 0.02 points.",
        "The baseline is all text of the page but that of <head>, <script> and <style>, not what Lynx prints; it lacks "
        "what Lynx adds, and holds what stands in <select> and <noscript>.",
        _STOP_LIST + " This is most felt by jusText A, whose STOPWORDS_LOW is the highest.",
    ],
    "2.9": [
        "Algorithms read the original pages. The annotated ones were written by a browser after scripts had run, so "
        "some gold text is in no original: recall of the baseline is 97.2 and not 100. Read from the annotated pages "
        "with their spans taken out, the baseline has a recall of 99.5 and jusText A to D an F1 of 92.4, 92.6, 93.2 "
        "and 93.1.",
        "The baseline holds what stands in <select> and <noscript>, which costs it precision.",
    ],
    "2.10": [_CANOLA, "Frequent words are those of wordfreq, not of the British National Corpus."],
    "2.11": [_CANOLA],
    "Baisa 3.1": [
        "Baisa’s figures are means over pages of his own script; here the mean over pages of Evert’s scores, without "
        "what is not ASCII.",
    ],
}
