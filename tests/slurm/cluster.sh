#!/bin/sh
# A Slurm of one machine in a folder of its own, with three nodes of one core each. A job that is queued again begins when
# its credential has expired: by default after two minutes, here after ten seconds.
#
#   cluster.sh start FOLDER PORT   needs root, and Debian's slurm-wlm and munge; uses the ports PORT to PORT+3
#   cluster.sh stop FOLDER
#   cluster.sh kill FOLDER NODE    a node dies, with all that runs on it
#   cluster.sh node FOLDER NODE    it is there again
set -eu
command=$1 folder=$2
conf=$folder/slurm.conf
export SLURM_CONF="$conf"

node() { slurmd -N "$1" -f "$conf"; }

# A process and all below it; each is stopped first, for what dies with a node must not say that it has.
end() {
    kill -STOP "$1" 2>/dev/null || true
    for one in $(ps -o pid= --ppid "$1"); do (end "$one"); done
    kill -9 "$1" 2>/dev/null || true
}

case $command in
start)
    port=$3 host=$(hostname -s)
    mkdir -p "$folder/state" "$folder/munge"
    chmod 711 "$folder" "$folder/munge"
    head -c 1024 /dev/urandom >"$folder/munge/key"
    chmod 400 "$folder/munge/key"
    munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
    cat >"$conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=10
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=30
KillWait=5
BatchStartTimeout=60
SchedulerParameters=bf_interval=1,sched_interval=2,requeue_delay=1
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=node2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
NodeName=node3 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=1
PartitionName=all Nodes=node[1-3] Default=YES MaxTime=INFINITE State=UP
CONF
    slurmctld -f "$conf"
    for one in node1 node2 node3; do
        mkdir -p "$folder/spool-$one"
        node $one
    done
    tries=0
    until [ "$(sinfo --noheader --format=%T 2>/dev/null | sort -u)" = idle ]; do
        tries=$((tries + 1))
        [ $tries -lt 60 ] || { sinfo >&2; tail -n 20 "$folder/slurmctld.log" >&2; exit 1; }
        sleep 1
    done
    ;;
node) node "$3" ;;
kill)
    kill -9 "$(cat "$folder/$3.pid")"
    for one in $(ps -eo pid=,args= | awk '$2 ~ /slurmstepd/ { print $1 }'); do
        child=$(ps -o pid= --ppid "$one" | head -n 1 | tr -d ' ')
        if [ -n "$child" ] && grep -qz "^SLURMD_NODENAME=$3\$" "/proc/$child/environ" 2>/dev/null; then end "$one"; fi
    done
    ;;
stop)
    scancel --user="$(id -un)" 2>/dev/null || true
    for one in "$folder"/node?.pid "$folder"/slurmctld.pid "$folder"/munge/pid; do
        [ ! -f "$one" ] || kill "$(cat "$one")" 2>/dev/null || true
    done
    ;;
esac
