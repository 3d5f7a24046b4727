#!/usr/bin/env bash
# Installs corpusprep into the environment that Snakemake has just made, from the clone that CORPUSPREP_SOURCE names,
# or from the working directory.
set -euo pipefail
pip install --no-deps "${CORPUSPREP_SOURCE:-$PWD}"
