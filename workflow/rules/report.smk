rule report:
    input:
        **inputs("report"),
    output:
        **outputs("report"),
    log:
        log_of("report"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("report"),
    params:
        name=lambda wildcards: CORPORA[wildcards.folder].name,
        language=lambda wildcards: language_code(CORPORA[wildcards.folder].language),
    message:
        message_of("report")
    shell:
        "corpusprep --times {output.times_report} report --corpus-dir {wildcards.folder:q} --name {params.name:q}"
        " --language {params.language:q} --output {output.report} 2> {log}"
