rule batches:
    input:
        lambda wildcards: [str(path) for batch in BATCHES[wildcards.folder].values() for path in batch.archives],
    output:
        plan="{folder}/batches.tsv",
        bundles="{folder}/bundles.tsv",
        times="{folder}/times/batches/all.tsv",
    log:
        "{folder}/logs/batches.log",
    conda:
        ENVIRONMENT
    params:
        patterns=lambda wildcards: flags({"archive": CORPORA[wildcards.folder].archives}),
        batch_bytes=lambda wildcards: CORPORA[wildcards.folder].batch_bytes,
        bundles=lambda wildcards: CORPORA[wildcards.folder].bundles,
    message:
        "Batches of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} batches {params.patterns} --batch-bytes {params.batch_bytes:q}"
        " --bundles {params.bundles} --remove-others --bundle-list {output.bundles} --output {output.plan} 2> {log}"
