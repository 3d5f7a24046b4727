# A job takes a bundle; a process takes a batch, so that its memory does not grow with the bundle.
rule blocks_match:
    input:
        **inputs("blocks_match"),
        model=model_path,
    output:
        **outputs("blocks_match"),
    log:
        log_of("blocks_match"),
    conda:
        ENVIRONMENT
    threads: BUNDLE_THREADS
    resources:
        **resources_of("blocks_match"),
    params:
        folder=lambda wildcards: wildcards.folder,
        batches=lambda wildcards: " ".join(batches_of(wildcards)),
        counting=lambda wildcards: counting(section(wildcards, "ngrams")),
        memory=memory,
    message:
        message_of("blocks_match")
    shell:
        "for batch in {params.batches}; do corpusprep --times {output.times_blocks_match}/$batch.tsv blocks match"
        " --vertical {params.folder:q}/tokens/$batch.vert.zst --documents {input.documents}/$batch.parquet"
        " --boilerplate {params.folder:q}/boilerplate/$batch.parquet --tokens {params.folder:q}/tokens/$batch.parquet"
        " --ngrams {input.duplicates} --model {input.model} {params.counting} --memory {params.memory:q}"
        " --threads {threads} --output {output.matches}/$batch.matches; done 2> {log}"


# The thin sequential pass: one job a corpus.
rule blocks_verdicts:
    input:
        **inputs("blocks_verdicts"),
    output:
        **outputs("blocks_verdicts"),
    log:
        log_of("blocks_verdicts"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("blocks_verdicts"),
    params:
        matches=lambda wildcards: f"{wildcards.folder}/blocks/matches",
        threshold=lambda wildcards: section(wildcards, "blocks")["threshold"],
        memory=memory,
    message:
        message_of("blocks_verdicts")
    shell:
        "corpusprep --times {output.times_blocks_verdicts} blocks verdicts --batches {input.bundles} --matches {params.matches}"
        " --ngrams {input.duplicates} --threshold {params.threshold} --memory {params.memory:q}"
        " --output {output.verdicts} 2> {log}"
