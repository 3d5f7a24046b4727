"""Block classifiers on the feature vectors of texrex (Schäfer 2016): `snakemake --cores all texrex`."""
# No corpus needs them. They need the extra [studies]. As in evaluation.smk, `snakemake --lint` remarks that folders of
# vectors are params: the commands take folders.
from studies.schaefer_2017.classifiers import CLASSIFIERS, file_name
from studies.schaefer_2017.measuring import GOLD_SETS
from studies.schaefer_2017.vectors import LANGUAGES, stored

TEXREX = f"{RESULTS}/texrex"
TEXREX_VECTORS = stored(Path(GOLD_DATA))


localrules:
    texrex,


rule texrex:
    input:
        f"{TEXREX}/report.html",


rule texrex_measure:
    input:
        [str(TEXREX_VECTORS)] if TEXREX_VECTORS else [],
    output:
        f"{TEXREX}/measured/{{measure}}.tsv",
    log:
        f"{TEXREX}/logs/{{measure}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        measure="sizes|transfer",
    params:
        data=GOLD_DATA,
    message:
        "texrex's vectors: {wildcards.measure}"
    shell:
        "corpusprep studies texrex {wildcards.measure:q} --data {params.data:q} --output {output:q} 2> {log:q}"


rule texrex_measure_language:
    input:
        [str(TEXREX_VECTORS)] if TEXREX_VECTORS else [],
    output:
        f"{TEXREX}/measured/{{measure}}_{{language}}.tsv",
    log:
        f"{TEXREX}/logs/{{measure}}_{{language}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        measure="curve|merits",
        language="|".join(LANGUAGES),
    params:
        data=GOLD_DATA,
    message:
        "texrex's vectors: {wildcards.measure} of {wildcards.language}"
    shell:
        "corpusprep studies texrex {wildcards.measure:q} --data {params.data:q} --language {wildcards.language:q} "
        "--output {output:q} 2> {log:q}"


rule texrex_classifier:
    input:
        [str(TEXREX_VECTORS)] if TEXREX_VECTORS else [],
    output:
        f"{TEXREX}/measured/classifier_{{language}}_{{classifier}}.tsv",
    log:
        f"{TEXREX}/logs/classifier_{{language}}_{{classifier}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        language="|".join(LANGUAGES),
        classifier="|".join(map(file_name, CLASSIFIERS)),
    params:
        data=GOLD_DATA,
    resources:
        # The matrix of the kernel PUK has a number for each pair of blocks.
        mem_mb=lambda wildcards: 4000 if wildcards.classifier == "svm-puk" else 1000,
        places=places,
    message:
        "texrex's vectors: {wildcards.classifier} on {wildcards.language}"
    shell:
        advised(
            "corpusprep studies texrex classifier --data {params.data:q} --language {wildcards.language:q} "
            "--classifier {wildcards.classifier:q} --output {output:q} 2> {log:q}"
        )


rule texrex_gold:
    input:
        [str(TEXREX_VECTORS)] if TEXREX_VECTORS else [],
        lambda wildcards: stored_files(GOLD_DATA, [wildcards.set]),
    output:
        f"{TEXREX}/measured/gold_{{set}}.tsv",
    log:
        f"{TEXREX}/logs/gold_{{set}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        set="|".join(GOLD_SETS),
    params:
        data=GOLD_DATA,
    resources:
        mem_mb=2000,
        places=places,
    message:
        "texrex's vectors and the blocks of {wildcards.set}"
    shell:
        advised("corpusprep studies texrex gold --data {params.data:q} --set {wildcards.set:q} --output {output:q} 2> {log:q}")


rule texrex_tables:
    input:
        expand(f"{TEXREX}/measured/gold_{{set}}.tsv", set=GOLD_SETS),
        expand(f"{TEXREX}/measured/{{measure}}.tsv", measure=("sizes", "transfer")),
        expand(f"{TEXREX}/measured/{{measure}}_{{language}}.tsv", measure=("curve", "merits"), language=LANGUAGES),
        expand(
            f"{TEXREX}/measured/classifier_{{language}}_{{classifier}}.tsv",
            language=LANGUAGES,
            classifier=map(file_name, CLASSIFIERS),
        ),
    output:
        f"{TEXREX}/report.html",
    log:
        f"{TEXREX}/logs/tables.log",
    conda:
        ENVIRONMENT
    params:
        measured=f"{TEXREX}/measured",
        folder=TEXREX,
    message:
        "Tables and figures of the block classifiers"
    shell:
        "corpusprep studies texrex tables --measured {params.measured:q} --output {params.folder:q} 2> {log:q}"
