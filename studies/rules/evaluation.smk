"""Boilerplate removal on gold data: `snakemake --cores all evaluation`."""
# `snakemake --lint` remarks that some params here are folders of inputs or outputs: without a shared file system, they
# would not be found. The commands take folders of gold sets or tables, and all nodes share the results folder.

from corpusprep.cleaners.block_models import shipped_model
from corpusprep.gold.data import ALSO_TRAINED, CAUSE_SETS, SETS, TRAINED_ON
from studies.evaluation.trained import TRAINED, can_train

EVALUATION = f"{RESULTS}/evaluation"
# The package's models that learned from gold data, with what they make of the pages that they learned from.
SHIPPED_MODELS = [
    shipped_model(model).with_suffix(suffix)
    for model in (*TRAINED_ON, *ALSO_TRAINED)
    for suffix in (".model", ".pages.tsv")
]
# By model: the systems that can be trained here.
TRAINED_SYSTEMS = {one.model: one for one in TRAINED if can_train(one, GOLD_DATA)}


localrules:
    evaluation,


rule evaluation:
    input:
        f"{EVALUATION}/report.html",


rule evaluation_measure:
    input:
        lambda wildcards: stored_files(GOLD_DATA, [wildcards.set]),
        SHIPPED_MODELS,
    output:
        counts=f"{EVALUATION}/measured/{{set}}.tsv",
        facts=f"{EVALUATION}/measured/{{set}}.json",
    log:
        f"{EVALUATION}/logs/{{set}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        set="|".join(SETS),
    params:
        data=GOLD_DATA,
        folder=f"{EVALUATION}/measured",
    message:
        "Every algorithm on {wildcards.set}"
    shell:
        "corpusprep studies evaluation measure --data {params.data:q} --set {wildcards.set:q} --output {params.folder:q} 2> {log:q}"


rule evaluation_causes:
    input:
        lambda wildcards: stored_files(GOLD_DATA, [wildcards.set]),
    output:
        f"{EVALUATION}/measured/causes_{{set}}.json",
    log:
        f"{EVALUATION}/logs/causes_{{set}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        set="|".join(CAUSE_SETS),
    params:
        data=GOLD_DATA,
    message:
        "Causes of differences on {wildcards.set}"
    shell:
        "corpusprep studies evaluation causes --data {params.data:q} --set {wildcards.set} --output {output:q} 2> {log:q}"


# The models of `content`, and public extractors: those of the extra [bench] that are installed.
rule evaluation_extractors:
    input:
        lambda wildcards: stored_files(GOLD_DATA, [wildcards.set]),
        SHIPPED_MODELS,
    output:
        counts=f"{EVALUATION}/measured/extractors/{{set}}.tsv",
        versions=f"{EVALUATION}/measured/extractors/{{set}}.json",
    log:
        f"{EVALUATION}/logs/extractors_{{set}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        set="|".join(SETS),
    params:
        data=GOLD_DATA,
        folder=f"{EVALUATION}/measured/extractors",
    message:
        "Extractors on {wildcards.set}"
    shell:
        "corpusprep studies evaluation extractors --data {params.data:q} --set {wildcards.set} --output {params.folder:q} 2> {log:q}"


# Dates, authors and titles of news pages, beside trafilatura and htmldate: those that are installed.
rule evaluation_metadata:
    input:
        stored_files(GOLD_DATA, ["fundus"]),
    output:
        f"{EVALUATION}/metadata.tsv",
    log:
        f"{EVALUATION}/logs/metadata.log",
    conda:
        ENVIRONMENT
    params:
        data=GOLD_DATA,
    message:
        "Metadata of news pages"
    shell:
        "corpusprep studies evaluation metadata --data {params.data:q} --output {output:q} 2> {log:q}"


# CPU time per page. All systems are timed in turn in one job, so what runs beside it slows all of them alike.
rule evaluation_speed:
    input:
        lambda wildcards: stored_files(GOLD_DATA, [wildcards.set]),
        SHIPPED_MODELS,
    output:
        f"{EVALUATION}/measured/speed/{{set}}.tsv",
    log:
        f"{EVALUATION}/logs/speed_{{set}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        set="|".join(SETS),
    params:
        data=GOLD_DATA,
        folder=f"{EVALUATION}/measured/speed",
    message:
        "Speed of all cleaners on {wildcards.set}"
    shell:
        "corpusprep studies evaluation speed --data {params.data:q} --set {wildcards.set} --output {params.folder:q} 2> {log:q}"


# Models of the pages that the thesis trained on: where their data is, and what trains them (extra [studies]).
rule evaluation_trained_model:
    input:
        lambda wildcards: stored_files(GOLD_DATA, TRAINED_SYSTEMS[wildcards.model].gold),
    output:
        model=f"{EVALUATION}/measured/trained/{{model}}.model",
        pages=f"{EVALUATION}/measured/trained/{{model}}.pages.tsv",
    log:
        f"{EVALUATION}/logs/{{model}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        model="|".join(one.model for one in TRAINED),
    params:
        data=GOLD_DATA,
        how=lambda wildcards: TRAINED_SYSTEMS[wildcards.model].command(),
    message:
        "Training of {wildcards.model}"
    shell:
        "corpusprep train {params.how} --data {params.data:q} --output {output.model:q} 2> {log:q}"


rule evaluation_trained:
    input:
        lambda wildcards: stored_files(GOLD_DATA, [wildcards.set]),
        expand(f"{EVALUATION}/measured/trained/{{model}}.model", model=TRAINED_SYSTEMS),
    output:
        f"{EVALUATION}/measured/trained/{{set}}.tsv",
    log:
        f"{EVALUATION}/logs/trained_{{set}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        set="|".join(SETS),
    params:
        data=GOLD_DATA,
        models=f"{EVALUATION}/measured/trained",
        folder=f"{EVALUATION}/measured/trained",
    message:
        "Systems trained as in the thesis on {wildcards.set}"
    shell:
        "corpusprep studies evaluation trained --data {params.data:q} --set {wildcards.set} --models {params.models:q}"
        " --output {params.folder:q} 2> {log:q}"


rule evaluation_canola:
    input:
        stored_files(GOLD_DATA, ["canola-dev"]),
    output:
        f"{EVALUATION}/measured/canola.json",
    log:
        f"{EVALUATION}/logs/canola.log",
    conda:
        ENVIRONMENT
    params:
        data=GOLD_DATA,
    message:
        "Thresholds, stop lists and fragments on Canola"
    shell:
        "corpusprep studies evaluation canola --data {params.data:q} --output {output:q} 2> {log:q}"


rule evaluation_times:
    input:
        stored_files(GOLD_DATA, ["cleaneval-dev", "cleanportaleval"]),
    output:
        f"{EVALUATION}/measured/times.json",
    log:
        f"{EVALUATION}/logs/times.log",
    conda:
        ENVIRONMENT
    params:
        data=GOLD_DATA,
    message:
        "Processor time of Baisa's systems"
    shell:
        "corpusprep studies evaluation times --data {params.data:q} --output {output:q} 2> {log:q}"


rule evaluation_tables:
    input:
        expand(f"{EVALUATION}/measured/{{set}}.{{form}}", set=SETS, form=("tsv", "json")),
        expand(f"{EVALUATION}/measured/causes_{{set}}.json", set=CAUSE_SETS),
        expand(f"{EVALUATION}/measured/extractors/{{set}}.{{form}}", set=SETS, form=("tsv", "json")),
        expand(f"{EVALUATION}/measured/speed/{{set}}.tsv", set=SETS),
        expand(f"{EVALUATION}/measured/trained/{{set}}.tsv", set=SETS),
        f"{EVALUATION}/measured/canola.json",
        f"{EVALUATION}/measured/times.json",
    output:
        f"{EVALUATION}/report.html",
    log:
        f"{EVALUATION}/logs/tables.log",
    conda:
        ENVIRONMENT
    params:
        measured=f"{EVALUATION}/measured",
        folder=EVALUATION,
    message:
        "Tables and figures of the evaluation"
    shell:
        "corpusprep studies evaluation tables --measured {params.measured:q} --output {params.folder:q} 2> {log:q}"
