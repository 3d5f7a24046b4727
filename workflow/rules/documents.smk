rule documents:
    input:
        **inputs("documents"),
    output:
        **outputs("documents"),
    log:
        log_of("documents"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("documents"),
    params:
        tokens=lambda wildcards: f"{wildcards.folder}/tokens",
        memory=memory,
    message:
        message_of("documents")
    shell:
        "corpusprep --times {output.times_documents} documents --batches {input.plan} --tokens {params.tokens}"
        " --memory {params.memory:q} --output {output.documents} 2> {log}"
