rule batches:
    input:
        lambda wildcards: [str(path) for batch in BATCHES[wildcards.folder].values() for path in batch.archives],
    output:
        plan="{folder}/batches.tsv",
        times="{folder}/times/batches/all.tsv",
    log:
        "{folder}/logs/batches.log",
    conda:
        ENVIRONMENT
    params:
        patterns=lambda wildcards: flags({"archive": CORPORA[wildcards.folder].archives}),
        batch_bytes=lambda wildcards: CORPORA[wildcards.folder].batch_bytes,
    message:
        "Batches of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} batches {params.patterns} --batch-bytes {params.batch_bytes:q}"
        " --remove-others --output {output.plan} 2> {log}"
