# `snakemake --lint` remarks that some params here are folders of inputs or outputs: without a shared file system, they
# would not be found. The commands take folders of gold sets or tables, and all nodes share the results folder.
# The experiments of chapter 3 on every corpus: `snakemake --cores all experiments`. No corpus needs them.
EXPERIMENTS = "{folder}/experiments"
MEASURED = f"{EXPERIMENTS}/measured"
JUDGED = archives("neardup-dev", "clough-stevenson")
COMMON = f"{RESULTS}/experiments"


localrules:
    experiments,


rule experiments:
    input:
        expand(f"{EXPERIMENTS}/report.html", folder=FOLDERS),


rule experiments_tokens:
    input:
        vertical=path_of("vertical"),
        documents=path_of("documents"),
    output:
        table=temp(f"{EXPERIMENTS}/tokens/{{batch}}.parquet"),
        times="{folder}/times/experiments/tokens-{batch}.tsv",
    log:
        "{folder}/logs/experiments/tokens-{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=batch_memory_mb,
        runtime=batch_runtime,
        places=places,
    message:
        "Tokens of {wildcards.folder} for the experiments, batch {wildcards.batch}"
    shell:
        advised(
            "corpusprep --times {output.times:q} studies experiments tokens --vertical {input.vertical:q}"
            " --documents {input.documents:q}/{wildcards.batch:q}.parquet --output {output.table:q} 2> {log:q}",
            "batch_bytes",
        )


rule experiments_spex:
    input:
        tokens=each_batch(f"{EXPERIMENTS}/tokens/{{batch}}.parquet"),
        duplicates=path_of("duplicates_before"),
        plan=path_of("plan"),
    output:
        table=f"{MEASURED}/spex.tsv",
        times="{folder}/times/experiments/spex.tsv",
    log:
        "{folder}/logs/experiments/spex.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=experiment_runtime,
        places=places,
    params:
        memory=memory,
    message:
        "SPEX on {wildcards.folder}"
    shell:
        advised(
            "corpusprep --times {output.times:q} studies experiments spex"
            " --memory {params.memory:q} --output {output.table:q} -- {wildcards.folder:q} 2> {log:q}",
            "memory",
        )


rule experiments_words:
    input:
        verticals=each_batch("{folder}/tokens/{batch}.vert.zst"),
        blocks=each_batch("{folder}/blocks/{batch}.parquet"),
        documents=path_of("documents"),
        plan=path_of("plan"),
    output:
        table=f"{MEASURED}/words.tsv",
        times="{folder}/times/experiments/words.tsv",
    log:
        "{folder}/logs/experiments/words.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=experiment_runtime,
        places=places,
    message:
        "Words of table 1.1 in {wildcards.folder}"
    shell:
        advised(
            "corpusprep --times {output.times:q} studies experiments words --output {output.table:q}"
            " -- {wildcards.folder:q} 2> {log:q}",
            "memory",
        )


rule experiments_lengths:
    input:
        tokens=each_batch(f"{EXPERIMENTS}/tokens/{{batch}}.parquet"),
        plan=path_of("plan"),
        model=model_path,
    output:
        table=f"{MEASURED}/lengths.tsv",
        times="{folder}/times/experiments/lengths.tsv",
    log:
        "{folder}/logs/experiments/lengths.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=experiment_runtime,
        places=places,
    params:
        memory=memory,
    message:
        "Lengths of n-grams of {wildcards.folder}"
    shell:
        advised(
            "corpusprep --times {output.times:q} studies experiments lengths"
            " --model {input.model:q} --memory {params.memory:q} --output {output.table:q} -- {wildcards.folder:q} 2> {log:q}",
            "memory",
        )


# One job for all thresholds of a kind of n-grams: they share the n-grams and their matches.
rule experiments_grid:
    input:
        tokens=each_batch(f"{EXPERIMENTS}/tokens/{{batch}}.parquet"),
        verticals=each_batch("{folder}/tokens/{batch}.vert.zst"),
        of_tokens=each_batch("{folder}/tokens/{batch}.parquet"),
        blocks=each_batch("{folder}/boilerplate/{batch}.parquet"),
        documents=path_of("documents"),
        own=own_ngrams,
        plan=path_of("plan"),
        model=model_path,
    output:
        table=f"{MEASURED}/grid/{{stop}}-{{punctuation}}-{{n}}.tsv",
        times="{folder}/times/experiments/grid-{stop}-{punctuation}-{n}.tsv",
    log:
        "{folder}/logs/experiments/grid-{stop}-{punctuation}-{n}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=experiment_runtime,
        places=places,
    wildcard_constraints:
        stop="yes|no",
        punctuation="yes|no",
        n=r"\d+",
    params:
        ngrams=lambda wildcards: flags(kind_of_ngrams(wildcards)),
        own=own_ngrams_options,
        memory=memory,
    message:
        "De-duplication of {wildcards.folder} by {wildcards.n}-grams"
        " (stop words out: {wildcards.stop}, punctuation out: {wildcards.punctuation})"
    shell:
        advised(
            "corpusprep --times {output.times:q} studies experiments grid"
            " --model {input.model:q} {params.ngrams} {params.own} --memory {params.memory:q}"
            " --output {output.table:q} -- {wildcards.folder:q} 2> {log:q}",
            "memory",
        )


rule experiments_resemblance:
    input:
        tokens=each_batch(f"{EXPERIMENTS}/tokens/{{batch}}.parquet"),
        blocks=each_batch("{folder}/blocks/{batch}.parquet"),
        plan=path_of("plan"),
    output:
        table=f"{MEASURED}/resemblance.tsv",
        clusters=f"{MEASURED}/clusters.tsv",
        times="{folder}/times/experiments/resemblance.tsv",
    log:
        "{folder}/logs/experiments/resemblance.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=experiment_runtime,
        places=places,
    params:
        memory=memory,
    message:
        "Resemblance of the documents of {wildcards.folder}"
    shell:
        advised(
            "corpusprep --times {output.times:q} studies experiments resemblance"
            " --memory {params.memory:q} --output {output.table:q} --clusters {output.clusters:q} -- {wildcards.folder:q} 2> {log:q}",
            "memory",
        )


# The same for every corpus: measured once.
rule experiments_set_memory:
    output:
        f"{COMMON}/set_memory.tsv",
    log:
        f"{COMMON}/set_memory.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=lambda wildcards, attempt: jobs.set_memory_mb(MOST_KEYS) * attempt,
        runtime=lambda wildcards, attempt: jobs.set_memory_minutes(MOST_KEYS) * attempt,
        places=places,
    params:
        most=MOST_KEYS,
    message:
        "Memory of sets of up to {params.most} n-grams"
    shell:
        advised(
            "corpusprep studies experiments set-memory --most {params.most:q} --output {output:q} 2> {log:q}",
            "experiments.most_keys",
        )


rule experiments_acceptance:
    output:
        expand(f"{COMMON}/figure_3_{{number}}.tsv", number=(1, 2, 3)),
    log:
        f"{COMMON}/acceptance.log",
    conda:
        ENVIRONMENT
    params:
        output=COMMON,
    message:
        "How likely sketches, super-shingles and lists accept documents"
    shell:
        "corpusprep studies experiments acceptance --output {params.output:q} 2> {log:q}"


rule experiments_judgements:
    input:
        JUDGED,
    output:
        f"{COMMON}/judgements.tsv",
        f"{COMMON}/judgements_best.tsv",
    log:
        f"{COMMON}/judgements.log",
    conda:
        ENVIRONMENT
    params:
        data=GOLD_DATA,
        output=COMMON,
    message:
        "Comparators against human judgements"
    shell:
        "corpusprep studies experiments judgements --data {params.data:q} --output {params.output:q} 2> {log:q}"


rule experiments_comparators:
    input:
        tokens=each_batch(f"{EXPERIMENTS}/tokens/{{batch}}.parquet"),
        blocks=each_batch("{folder}/blocks/{batch}.parquet"),
        duplicates=path_of("duplicates"),
        plan=path_of("plan"),
    output:
        table=f"{MEASURED}/comparators.tsv",
        times="{folder}/times/experiments/comparators.tsv",
    log:
        "{folder}/logs/experiments/comparators.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=experiment_runtime,
        places=places,
    params:
        memory=memory,
    message:
        "What comparators leave of {wildcards.folder}"
    shell:
        advised(
            "corpusprep --times {output.times:q} studies experiments comparators"
            " --memory {params.memory:q} --output {output.table:q} -- {wildcards.folder:q} 2> {log:q}",
            "memory",
        )


rule experiments_report:
    input:
        spex=f"{MEASURED}/spex.tsv",
        lengths=f"{MEASURED}/lengths.tsv",
        words=f"{MEASURED}/words.tsv",
        grid=[
            f"{MEASURED}/grid/{stop}-{punctuation}-{n}.tsv"
            for stop in ("yes", "no")
            for punctuation in ("yes", "no")
            for n in (3, 5, 7, 10)
        ],
        resemblance=f"{MEASURED}/resemblance.tsv",
        clusters=f"{MEASURED}/clusters.tsv",
        comparators=f"{MEASURED}/comparators.tsv",
        common=[
            f"{COMMON}/{name}.tsv" for name in ("set_memory", "figure_3_1", "figure_3_2", "figure_3_3")
        ],
        judgements=[f"{COMMON}/judgements_best.tsv"] if JUDGED else [],
        ngrams=[path_of("duplicates"), path_of("duplicates_before")],
    output:
        page=f"{EXPERIMENTS}/report.html",
        times="{folder}/times/experiments/report.tsv",
    log:
        "{folder}/logs/experiments/report.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=experiments_memory_mb,
        runtime=global_runtime,
        places=places,
    params:
        name=lambda wildcards: CORPORA[wildcards.folder].name,
        common=COMMON,
        judgements=lambda wildcards, input: flags({"judgements": input.judgements}),
        output=lambda wildcards: f"{wildcards.folder}/experiments",
    message:
        "Tables and figures of the experiments on {wildcards.folder}"
    shell:
        advised(
            "corpusprep --times {output.times:q} studies experiments tables"
            " --name {params.name:q} --common {params.common:q} {params.judgements} --output {params.output:q}"
            " -- {wildcards.folder:q} 2> {log:q}"
        )
