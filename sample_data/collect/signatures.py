"""The signatures: drawn, not collected; the kinds apart from the file that EAR's own readers could read."""

from pathlib import Path

from sample_data.collect.synthetic_signatures import generate_signatures

JOBS = 5_000
SEED = 20_261_121


def write(folder: Path, *, jobs: int = JOBS, seed: int = SEED) -> None:
    """Write signatures_synthetic.csv.gz (eacct's layout) and signatures_synthetic_kinds.csv.gz (JOBID;KIND)."""
    signatures, kinds = generate_signatures(jobs, seed=seed)
    compression = {"method": "gzip", "compresslevel": 9, "mtime": 1}
    folder.mkdir(parents=True, exist_ok=True)
    signatures.to_csv(folder / "signatures_synthetic.csv.gz", sep=";", index=False, float_format="%.6f", compression=compression)
    truth = signatures[["JOBID"]].assign(KIND=kinds)
    truth.to_csv(folder / "signatures_synthetic_kinds.csv.gz", sep=";", index=False, compression=compression)
