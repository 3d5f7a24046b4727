rule encoding:
    input:
        **inputs("encoding"),
        archives=archives_of,
        model=model_path,
    output:
        **outputs("encoding"),
    log:
        log_of("encoding"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("encoding"),
    params:
        archives=archive_options,
        options=stage_options("encoding", content_types="content-type"),
    message:
        message_of("encoding")
    shell:
        "corpusprep --times {output.times_encoding} encoding --batch {wildcards.batch} {params.archives}"
        " --model {input.model} {params.options} --output {output.encoding} 2> {log}"
