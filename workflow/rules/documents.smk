rule documents:
    input:
        tokens=each_batch("{folder}/tokens/{batch}.parquet"),
        plan=rules.batches.output.plan,
    output:
        tables=directory("{folder}/documents"),
        times="{folder}/times/documents/all.tsv",
    log:
        "{folder}/logs/documents.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=global_runtime,
    params:
        tokens=lambda wildcards: f"{wildcards.folder}/tokens",
        memory=memory,
    message:
        "Exact duplicates of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} documents --batches {input.plan} --tokens {params.tokens}"
        " --memory {params.memory:q} --output {output.tables} 2> {log}"
