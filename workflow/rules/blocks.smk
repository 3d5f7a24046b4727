# A job takes a bundle; a process takes a batch, so that its memory does not grow with the bundle.
rule blocks_match:
    input:
        vertical=of_bundle("{folder}/tokens/{batch}.vert.zst"),
        tokens=of_bundle("{folder}/tokens/{batch}.parquet"),
        documents=rules.documents.output.tables,
        blocks=of_bundle("{folder}/boilerplate/{batch}.parquet"),
        duplicates=rules.ngrams_merge.output.duplicates,
        model=model_path,
    output:
        matches=temp(directory("{folder}/blocks/matches/{bundle}")),
        times=directory("{folder}/times/blocks/match-{bundle}"),
    log:
        "{folder}/logs/blocks/match-{bundle}.log",
    conda:
        ENVIRONMENT
    threads: BUNDLE_THREADS
    resources:
        mem_mb=global_memory_mb,
        runtime=bundle_runtime,
    params:
        folder=lambda wildcards: wildcards.folder,
        batches=lambda wildcards: " ".join(batches_of(wildcards)),
        counting=lambda wildcards: counting(section(wildcards, "ngrams")),
        memory=memory,
    message:
        "Matches of {wildcards.folder}, bundle {wildcards.bundle}"
    shell:
        "for batch in {params.batches}; do corpusprep --times {output.times}/$batch.tsv blocks match"
        " --vertical {params.folder:q}/tokens/$batch.vert.zst --documents {input.documents}/$batch.parquet"
        " --boilerplate {params.folder:q}/boilerplate/$batch.parquet --tokens {params.folder:q}/tokens/$batch.parquet"
        " --ngrams {input.duplicates} --model {input.model} {params.counting} --memory {params.memory:q}"
        " --threads {threads} --output {output.matches}/$batch.matches; done 2> {log}"


# The thin sequential pass: one job a corpus.
rule blocks_verdicts:
    input:
        matches=each_bundle("{folder}/blocks/matches/{bundle}"),
        duplicates=rules.ngrams_merge.output.duplicates,
        plan=rules.batches.output.bundles,
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
        matches=lambda wildcards: f"{wildcards.folder}/blocks/matches",
        threshold=lambda wildcards: section(wildcards, "blocks")["threshold"],
        memory=memory,
    message:
        "Duplicate blocks of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} blocks verdicts --batches {input.plan} --matches {params.matches}"
        " --ngrams {input.duplicates} --threshold {params.threshold} --memory {params.memory:q}"
        " --output {output.verdicts} 2> {log}"
