rule batches:
    input:
        archives=lambda wildcards: [str(path) for batch in BATCHES[wildcards.folder].values() for path in batch.archives],
    output:
        **outputs("batches"),
    log:
        log_of("batches"),
    conda:
        ENVIRONMENT
    params:
        patterns=lambda wildcards: flags({"archive": CORPORA[wildcards.folder].archives}),
        batch_bytes=lambda wildcards: CORPORA[wildcards.folder].batch_bytes,
        bundles=lambda wildcards: CORPORA[wildcards.folder].bundles,
    message:
        message_of("batches")
    shell:
        "corpusprep --times {output.times_batches} batches {params.patterns} --batch-bytes {params.batch_bytes:q}"
        " --bundles {params.bundles} --remove-others --bundle-list {output.bundles} --output {output.plan} 2> {log}"
