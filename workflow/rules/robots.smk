# With the setting rights.robots_agent: the robots.txt of a host may be in any archive.
rule robots_gather:
    input:
        **inputs("robots_gather"),
        archives=archives_of,
    output:
        **outputs("robots_gather"),
    log:
        log_of("robots_gather"),
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_ARCHIVES,
    resources:
        **resources_of("robots_gather"),
    message:
        message_of("robots_gather")
    shell:
        command("robots_gather")
