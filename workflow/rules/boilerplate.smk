rule boilerplate:
    input:
        **inputs("boilerplate"),
        archives=archives_of,
        model=model_path,
        references=reference_tables,
        robots=robots_tables,
        templates=template_shares,
        code=own_code_files("boilerplate", "algorithm"),
        block_model=block_model_files,
    output:
        **outputs("boilerplate"),
    log:
        log_of("boilerplate"),
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_ARCHIVES,
    resources:
        **resources_of("boilerplate"),
    params:
        **params_of("boilerplate"),
    message:
        message_of("boilerplate")
    shell:
        command("boilerplate")


# For algorithms that compare the pages of a host: two pages per host, wherever they are in the corpus.
rule references_choose:
    input:
        **inputs("references_choose"),
    output:
        **outputs("references_choose"),
    log:
        log_of("references_choose"),
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_ARCHIVES,
    resources:
        **resources_of("references_choose"),
    message:
        message_of("references_choose")
    shell:
        command("references_choose")


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
    wildcard_constraints:
        folder=OF_ARCHIVES,
    resources:
        **resources_of("references_gather"),
    message:
        message_of("references_gather")
    shell:
        command("references_gather")
