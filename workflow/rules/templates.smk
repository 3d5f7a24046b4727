# With the setting templates.find: blocks that recur on the pages of a host, wherever in the corpus these are.
rule templates_choose:
    input:
        **inputs("templates_choose"),
    output:
        **outputs("templates_choose"),
    log:
        log_of("templates_choose"),
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_ARCHIVES,
    resources:
        **resources_of("templates_choose"),
    params:
        **params_of("templates_choose"),
    message:
        message_of("templates_choose")
    shell:
        command("templates_choose")


rule templates_count:
    input:
        **inputs("templates_count"),
        archives=archives_of,
    output:
        **outputs("templates_count"),
    log:
        log_of("templates_count"),
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_ARCHIVES,
    resources:
        **resources_of("templates_count"),
    message:
        message_of("templates_count")
    shell:
        command("templates_count")


rule templates_merge:
    input:
        **inputs("templates_merge"),
    output:
        **outputs("templates_merge"),
    log:
        log_of("templates_merge"),
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_ARCHIVES,
    resources:
        **resources_of("templates_merge"),
    message:
        message_of("templates_merge")
    shell:
        command("templates_merge")
