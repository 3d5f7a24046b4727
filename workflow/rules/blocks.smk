rule blocks_match:
    input:
        vertical="{folder}/tokens/{batch}.vert.zst",
        tokens="{folder}/tokens/{batch}.parquet",
        documents="{folder}/documents",
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
    threads: BATCH_THREADS
    resources:
        mem_mb=global_memory_mb,
        runtime=batch_runtime,
    params:
        counting=lambda wildcards: counting(section(wildcards, "ngrams")),
        memory=memory,
    message:
        "Matches of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} blocks match --vertical {input.vertical}"
        " --documents {input.documents}/{wildcards.batch}.parquet --boilerplate {input.blocks} --tokens {input.tokens} --ngrams {input.duplicates} --model {input.model}"
        " {params.counting} --memory {params.memory:q} --threads {threads} --output {output.matches} 2> {log}"


# The thin sequential pass: one job a corpus.
rule blocks_verdicts:
    input:
        matches=each_batch("{folder}/blocks/{batch}.matches"),
        duplicates="{folder}/ngrams/counted/duplicates.keys",
        plan=ancient("{folder}/batches.tsv"),
    output:
        verdicts=temp(directory("{folder}/blocks/verdicts")),
        times="{folder}/times/blocks/verdicts.tsv",
    log:
        "{folder}/logs/blocks/verdicts.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=global_runtime,
    params:
        matches=lambda wildcards: f"{wildcards.folder}/blocks",
        threshold=lambda wildcards: section(wildcards, "blocks")["threshold"],
        memory=memory,
    message:
        "Duplicate blocks of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} blocks verdicts --batches {input.plan} --matches {params.matches}"
        " --ngrams {input.duplicates} --threshold {params.threshold} --memory {params.memory:q}"
        " --output {output.verdicts} 2> {log}"
