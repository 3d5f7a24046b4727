"""The rules of the steps that corpusprep/pipeline.py declares: one rule per job, under the name of the job.

docs/architecture.md shows one of them as it expands. A job may run several short steps: with a thousand batches, each
rule on batches is a thousand jobs to plan.
"""

#: What some jobs read beside what their steps declare: job -> name -> input function.
FURTHER_INPUTS = {
    "encoding": {"lists": selection_lists},
    "boilerplate": {"code": own_code_files("boilerplate", "algorithm"), "block_model": block_model_files},
    "corpus": {"code": format_code},
    "tokens": {"code": own_code_files("tokens", "tokenizer")},
    # Slow taggers may need more time than the bytes of the archives say: --set-resources annotate:runtime=600.
    "annotate": {"code": annotator_files},
}
#: Params that no command is told: a job whose params change runs again.
FURTHER_PARAMS = {
    # An archive may be replaced by one with an older date, such as a copy that was kept: its batch has another name.
    "batches": {"planned": lambda wildcards: batches.batch_name(BATCHES[wildcards.folder])},
}


# A function, so that each rule has a `job` of its own: the shell command is evaluated when the job runs.
def declare(job):
    rule:
        name:
            job.name
        input:
            **inputs(job),
            **FURTHER_INPUTS.get(job.name, {}),
        output:
            **outputs(job),
        log:
            f"{{folder}}/{job.log}",
        conda:
            ENVIRONMENT
        wildcard_constraints:
            folder=folders_of(job),
        threads: threads_of(job)
        resources:
            **resources_of(job),
        params:
            **params_of(job),
            **FURTHER_PARAMS.get(job.name, {}),
        message:
            message_of(job)
        shell:
            jobs.shell_line(job)


for job in pipeline.JOBS.values():
    if JOB_RULES is None or job.name in JOB_RULES:
        declare(job)
        workflow.get_rule(job.name).docstring = job.sentence
