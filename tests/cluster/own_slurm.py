"""A SLURM of its own in a folder: munged, slurmctld and slurmd as processes of whoever starts it, one node of this machine.

    with OwnSlurm(folder) as slurm:         # SLURM_CONF names it meanwhile
        slurm.queue()                       # [(id, state, reason), ...]

Needs Debian's slurm-wlm and munge (`make test-cluster` installs them).
"""

import getpass
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

TOOLS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue")
_CORES = 2
_CONF = """\
ClusterName=hem
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
KillWait=2
MaxJobCount={most_jobs}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={megabytes} State=UNKNOWN
PartitionName=work Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> list[str]:
    """The programs that are not installed."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    return [tool for tool in TOOLS if shutil.which(tool, path=path) is None]


class OwnSlurm:
    """Started in `folder`, stopped at the end. most_jobs: that its queue holds."""

    def __init__(self, folder: Path, most_jobs: int = 1000) -> None:
        self.folder, self.host = folder, socket.gethostname().partition(".")[0]
        self._most_jobs = most_jobs
        self._processes: list[subprocess.Popen[bytes]] = []
        self._before: str | None = None

    def __enter__(self) -> "OwnSlurm":
        self.folder.chmod(0o755)  # munge wants to know who can reach its socket
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o400)
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
        filled = _CONF.format(
            host=self.host,
            ports=_free_ports(),
            folder=self.folder,
            user=getpass.getuser(),
            most_jobs=self._most_jobs,
            cores=_CORES,
            megabytes=memory * 9 // 10,
        )
        conf = self.folder / "slurm.conf"
        conf.write_text(filled)
        self._before = os.environ.get("SLURM_CONF")
        os.environ["SLURM_CONF"] = str(conf)
        try:
            named = {
                "key-file": "munge.key",
                "socket": "munge.socket",
                "pid-file": "munged.pid",
                "log-file": "munged.log",
                "seed-file": "seed",
            }
            self._run("munged", "--foreground", "--force", *(f"--{option}={self.folder / name}" for option, name in named.items()))
            _until(lambda: (self.folder / "munge.socket").exists(), "munged does not start")
            self._run("slurmctld", "-D")
            self._run("slurmd", "-D", "-N", self.host)
            _until(lambda: "idle" in self._said("sinfo", "--noheader", "--format", "%T"), "SLURM's node does not come up")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._said("scancel", "--user", getpass.getuser())
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._before is None:
            os.environ.pop("SLURM_CONF", None)
        else:
            os.environ["SLURM_CONF"] = self._before

    def queue(self) -> list[tuple[str, str, str]]:
        """(id, state, reason) of every job that is pending, running or ending."""
        return [tuple(line.split("|", 2)) for line in self._said("squeue", "--noheader", "--format", "%i|%T|%r").splitlines()]  # type: ignore[misc]

    def sleepers(self, count: int) -> list[str]:
        """The ids of so many jobs that only wait, a core each."""
        return [self._said("sbatch", "--parsable", "--output=/dev/null", "--wrap", "sleep 600").strip() for _ in range(count)]

    def cancel(self, *ids: str) -> None:
        """scancel them."""
        self._said("scancel", *ids)

    def drain(self, drained: bool) -> None:
        """Take the node out of service for new jobs, or back."""
        state = ["State=DRAIN", "Reason=test"] if drained else ["State=RESUME"]
        self._said("scontrol", "update", f"NodeName={self.host}", *state)

    def _run(self, *command: str) -> None:
        environment = os.environ | {"PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"}
        with (self.folder / f"{command[0]}.printed").open("ab") as log:
            self._processes.append(subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment))

    @staticmethod
    def _said(*command: str) -> str:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _until(condition: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(what)
        time.sleep(0.1)
