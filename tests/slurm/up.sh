#!/usr/bin/env bash
# A real SLURM of two nodes on this machine, for tests:  up.sh FOLDER [CPUS of a node]
# (as root; Debian: apt-get install slurm-wlm munge)
# Everything is in FOLDER but a link at /etc/slurm/slurm.conf: Snakemake's plugin takes SLURM_* out of a job's
# environment, so a configuration that is not at its default path is not found inside a job.
set -euo pipefail
folder=$(realpath -m "${1:?give a folder}")
cpus=${2:-3}
memory=$((cpus > 8 ? 2000 * cpus : 16000))
host=$(hostname -s)
port=27800

if [ -e /etc/slurm/slurm.conf ] || [ -L /etc/slurm/slurm.conf ]; then
    echo "up.sh: /etc/slurm/slurm.conf is there; this machine's own SLURM is left alone" >&2
    exit 1
fi
unset "${!SLURM_@}"
install -d -m 755 "$folder" "$folder/state" "$folder/spool/node1" "$folder/spool/node2" "$folder/log" "$folder/socket"
install -d -m 700 "$folder/secret"

# Authentication, with a key and a socket of its own.
head -c 1024 /dev/urandom > "$folder/secret/munge.key"
chmod 600 "$folder/secret/munge.key"
munged --force --key-file="$folder/secret/munge.key" --seed-file="$folder/secret/seed" \
    --socket="$folder/socket/munge" --pid-file="$folder/munged.pid" --log-file="$folder/log/munged.log"

cat > "$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmdLogFile=$folder/log/slurmd-%n.log
SlurmdSpoolDir=$folder/spool/%n
StateSaveLocation=$folder/state
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/socket/munge
CredType=cred/munge
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
# What was lost with a node is for the workflow to start again, at once; SLURM itself would wait two minutes.
JobRequeue=0

# A job over its memory is killed, found at the next poll.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=500
KillWait=2

# Quick to start jobs, and to notice a node that is lost.
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdTimeout=10
MessageTimeout=10
MinJobAge=300
# No accounting database, as on many small clusters; a line for each job that ended.
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/log/jobs

# More than the machine may have: what jobs ask for is what counts here, not what they use.
SlurmdParameters=config_overrides
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=$cpus RealMemory=$memory
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=$cpus RealMemory=$memory
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
mkdir -p /etc/slurm
ln -s "$folder/slurm.conf" /etc/slurm/slurm.conf

slurmctld -i
slurmd -N node1
slurmd -N node2
for _ in $(seq 150); do
    if [ "$(sinfo --noheader --Node --states=idle | wc -l)" = 2 ]; then
        exit 0
    fi
    sleep 0.2
done
echo "up.sh: the nodes do not come up" >&2
tail -n 20 "$folder"/log/*.log >&2
exit 1
