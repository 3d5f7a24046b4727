rule boilerplate:
    input:
        **inputs("boilerplate"),
        archives=archives_of,
        model=model_path,
        references=reference_tables,
    output:
        **outputs("boilerplate"),
    log:
        log_of("boilerplate"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("boilerplate"),
    params:
        options=stage_options("boilerplate"),
        references=references_options,
    message:
        message_of("boilerplate")
    shell:
        "corpusprep --times {output.times_boilerplate} boilerplate --encoding {input.encoding} --model {input.model}"
        " {params.options} {params.references} --pages {output.pages} --output {output.boilerplate} 2> {log}"


# For algorithms that compare the pages of a host: two pages a host, wherever in the corpus they are.
rule references_choose:
    input:
        **inputs("references_choose"),
    output:
        **outputs("references_choose"),
    log:
        log_of("references_choose"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("references_choose"),
    message:
        message_of("references_choose")
    shell:
        "corpusprep --times {output.times_references_choose} references choose --batches {input.plan}"
        " --encodings {wildcards.folder:q}/encoding --output {output.chosen_references} 2> {log}"


rule references_gather:
    input:
        **inputs("references_gather"),
        archives=archives_of,
    output:
        **outputs("references_gather"),
    log:
        log_of("references_gather"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("references_gather"),
    message:
        message_of("references_gather")
    shell:
        "corpusprep --times {output.times_references_gather} references gather --encoding {input.encoding} --chosen {input.chosen_references}"
        " --output {output.references} 2> {log}"
