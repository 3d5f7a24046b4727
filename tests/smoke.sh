#!/usr/bin/env bash
# Tries an installed package, outside of the clone: a page, the sample's corpora, what would fail.
set -euo pipefail
cd "$(mktemp -d)"
page="<p>$(printf 'The ferry is back on the river, and it is full of people. %.0s' 1 2 3 4 5)</p>"
corpusprep extract - <<<"$page" | grep -q 'The ferry is back'
corpusprep init --sample demo
cd demo
corpusprep build
test -s results/sample/en/corpus/*.vert.zst
corpusprep doctor
