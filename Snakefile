# corpusprep: web archives to clean, de-duplicated corpora. `snakemake --cores all` builds the sample;
# `snakemake --cores all --configfile my.yaml` builds yours, from any working directory (-s this file).
from snakemake.utils import min_version

min_version("9.3")


if "corpora" not in config:
    configfile: workflow.current_basedir.join("config/config.yaml").get_path_or_uri(secret_free=False)


include: "workflow/rules/common.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/languages.smk"
include: "workflow/rules/batches.smk"
include: "workflow/rules/encoding.smk"
include: "workflow/rules/boilerplate.smk"
include: "workflow/rules/tokens.smk"
include: "workflow/rules/documents.smk"
include: "workflow/rules/ngrams.smk"
include: "workflow/rules/blocks.smk"
include: "workflow/rules/corpus.smk"
include: "workflow/rules/statistics.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/experiments.smk"


# Seconds of work, on the machine that runs the workflow: a job of a cluster would cost more.
localrules:
    all,
    batches,
    language_model,
    languages,
    rivals,


rule all:
    default_target: True
    input:
        expand("{folder}/report.html", folder=FOLDERS),
        [corpus_files(folder) for folder in FOLDERS],
        [refuse] if PROBLEM else [],
