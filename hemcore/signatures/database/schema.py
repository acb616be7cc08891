"""The tables of EAR's database that signatures are in, as far as they are read.

Source: EAR's src/commands/ear_create_database.c, versions 4 to 6.3.
"""

from sqlalchemy import BigInteger, Column, Float, Integer, MetaData, PrimaryKeyConstraint, String, Table

# Column of Signatures -> the name that eacct's CSV gives it. Those after the first line are of detailed or GPU builds alone.
SIGNATURE = {
    "time": "TIME_SEC",
    "CPI": "CPI",
    "TPI": "TPI",
    "GBS": "MEM_GBS",
    "Gflops": "GFLOPS",
    "IO_MBS": "IO_MBS",
    "perc_MPI": "PERC_MPI",
    "DC_power": "DC_NODE_POWER_W",
    "DRAM_power": "DRAM_POWER_W",
    "PCK_power": "PCK_POWER_W",
    "avg_f": "AVG_CPUFREQ_KHZ",
    "avg_imc_f": "AVG_IMCFREQ_KHZ",
    "def_f": "DEF_FREQ_KHZ",
    "cpu_util": "CPU_UTIL",
    "cycles": "CYCLES",
    "instructions": "INSTRUCTIONS",
    "L1_misses": "L1_MISSES",
    "L2_misses": "L2_MISSES",
    "L3_misses": "L3_MISSES",
    "FLOPS1": "SPOPS_SINGLE",
    "FLOPS2": "SPOPS_128",
    "FLOPS3": "SPOPS_256",
    "FLOPS4": "SPOPS_512",
    "FLOPS5": "DPOPS_SINGLE",
    "FLOPS6": "DPOPS_128",
    "FLOPS7": "DPOPS_256",
    "FLOPS8": "DPOPS_512",
}
JOB = {
    "user_id": "USERID",
    "user_group": "GROUPID",
    "user_acc": "ACCOUNTID",
    "app_id": "JOBNAME",
    "e_tag": "ENERGY_TAG",
    "start_time": "JOB_START_TIME",
    "end_time": "JOB_END_TIME",
    "policy": "POLICY",
    "threshold": "POLICY_TH",
    "procs": "JOB_NPROCS",
    "job_type": "JOB_TYPE",
    "def_f": "JOB_DEF_FREQ",
}
STEP = {"job_id": "JOBID", "step_id": "STEPID", "local_id": "APPID", "node_id": "NODENAME"}
LOOP = {"event": "LOOPID", "size": "LOOP_SIZE", "level": "LOOP_NEST_LEVEL", "total_iterations": "TIMESTAMP"}
NEEDED = {
    "applications": ("Applications", "Jobs", "Signatures"),
    "loops": ("Loops", "Jobs", "Signatures"),
}
_TEXT = {"user_id", "user_group", "user_acc", "app_id", "e_tag", "policy", "node_id"}
_FLOATS = {"time", "CPI", "TPI", "GBS", "Gflops", "IO_MBS", "perc_MPI", "DC_power", "DRAM_power", "PCK_power", "threshold", "cpu_util"}


def tables(*, lower_case: bool = False) -> MetaData:
    """The schema, to make a database by. lower_case: names as PostgreSQL folds them when EAR does not quote them."""
    metadata = MetaData()

    def named(name: str) -> str:
        return name.lower() if lower_case else name

    def columns(*names: str) -> list[Column]:
        kinds = {name: String(256) if name in _TEXT else Float(53) if name in _FLOATS else BigInteger() for name in names}
        return [Column(named(name), kind) for name, kind in kinds.items()]

    step = ("job_id", "step_id", "local_id")
    keys = [named(name) for name in step]
    Table(named("Applications"), metadata, *columns(*step, "node_id", "signature_id"), PrimaryKeyConstraint(*keys, named("node_id")))
    Table(named("Jobs"), metadata, *columns(*step, *JOB), PrimaryKeyConstraint(*keys))
    Table(named("Loops"), metadata, *columns("event", "size", "level", *step, "node_id", "total_iterations", "signature_id"))
    gpus = ("min_GPU_sig_id", "max_GPU_sig_id")
    Table(named("Signatures"), metadata, Column("id", Integer, primary_key=True, autoincrement=False), *columns(*SIGNATURE, *gpus))
    Table(
        named("GPU_signatures"),
        metadata,
        Column("id", Integer, primary_key=True, autoincrement=False),
        *(Column(named(name), Float(53)) for name in ("GPU_power", "GPU_util")),
    )
    return metadata
