rule blocks_match:
    input:
        vertical="{folder}/tokens/{batch}.vert.zst",
        tokens="{folder}/tokens/{batch}.parquet",
        documents="{folder}/documents/{batch}.parquet",
        blocks="{folder}/boilerplate/{batch}.parquet",
        duplicates="{folder}/ngrams/counted/duplicates.keys",
        model=model_path,
    output:
        matches=temp("{folder}/blocks/{batch}.matches"),
        times="{folder}/times/blocks/match-{batch}.tsv",
    log:
        "{folder}/logs/blocks/match-{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=job_memory_mb,
    params:
        counting=lambda wildcards: counting(section(wildcards, "ngrams")),
        memory=memory,
    message:
        "Matches of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} blocks match --vertical {input.vertical} --documents {input.documents}"
        " --boilerplate {input.blocks} --tokens {input.tokens} --ngrams {input.duplicates} --model {input.model}"
        " {params.counting} --memory {params.memory:q} --output {output.matches} 2> {log}"


# The thin sequential pass: one job a corpus, a file a batch.
for folder in FOLDERS:

    rule:
        name:
            f"blocks_verdicts_{rule_suffix(folder)}"
        input:
            matches=expand("{folder}/blocks/{batch}.matches", folder=folder, batch=BATCHES[folder]),
            duplicates=f"{folder}/ngrams/counted/duplicates.keys",
            plan=ancient(f"{folder}/batches.tsv"),
        output:
            verdicts=temp(expand("{folder}/blocks/{batch}.verdicts", folder=folder, batch=BATCHES[folder])),
            times=f"{folder}/times/blocks/verdicts.tsv",
        log:
            f"{folder}/logs/blocks/verdicts.log",
        conda:
            ENVIRONMENT
        resources:
            mem_mb=partial(memory_mb, folder),
        params:
            folder=f"{folder}/blocks",
            threshold=CORPORA[folder].sections["blocks"]["threshold"],
            memory=CORPORA[folder].memory,
        message:
            f"Duplicate blocks of {folder}"
        shell:
            "corpusprep --times {output.times} blocks verdicts --batches {input.plan} --matches {params.folder}"
            " --ngrams {input.duplicates} --threshold {params.threshold} --memory {params.memory:q}"
            " --output {params.folder} 2> {log}"


rule blocks_apply:
    input:
        verdicts="{folder}/blocks/{batch}.verdicts",
        matches="{folder}/blocks/{batch}.matches",
        tokens="{folder}/tokens/{batch}.parquet",
        documents="{folder}/documents/{batch}.parquet",
        blocks="{folder}/boilerplate/{batch}.parquet",
    output:
        table="{folder}/blocks/{batch}.parquet",
        times="{folder}/times/blocks/apply-{batch}.tsv",
    log:
        "{folder}/logs/blocks/apply-{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=job_memory_mb,
    message:
        "Verdicts of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} blocks apply --verdicts {input.verdicts} --matches {input.matches}"
        " --tokens {input.tokens} --boilerplate {input.blocks} --documents {input.documents}"
        " --output {output.table} 2> {log}"
