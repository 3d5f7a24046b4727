#!/usr/bin/env bash
# Installs corpusprep into the environment that Snakemake has just made. CORPUSPREP_SOURCE names the
# clone; without it, the working directory is taken for it.
set -euo pipefail
pip install --no-deps "${CORPUSPREP_SOURCE:-$PWD}"
