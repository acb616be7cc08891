"""What the user chooses for signatures; the form, the link, the bounds and the snippets all come from this model."""

from typing import Literal, Self

from pydantic import model_validator

from hemcore.errors import ReadError
from hemcore.params import Params, parameter
from hemcore.signatures.class_rules import Rules
from hemcore.signatures.clusters.clara import Scale
from hemcore.signatures.clusters.ear_kmedoids import MOST_CLUSTERS
from hemcore.signatures.ear.ear_files import Order, read_extremes, read_medoids
from hemcore.signatures.ear.ear_models import Extremes, Medoids
from hemcore.signatures.ear.machines import Peaks, Thresholds
from hemcore.signatures.signature_rows import SetAside

Chosen = Literal["as EAR chooses", "k-medoids", "roofline", "default"]


class SignatureParams(Params):
    """How signatures are classified and compared (document 004). The defaults are a node of two Xeon 8480+."""

    strategy: Chosen = parameter(
        "as EAR chooses",
        title="Strategy",
        description="Whose class is the verdict. EAR takes k-medoids where it can, then the roofline, then the default thresholds.",
    )
    rules: Rules = parameter(
        "documentation",
        title="Rules",
        description="As EAR's documentation says, or as its releases 5.1, and 5.2 to 6.3, do: strict signs, values divided by the CPUs.",
    )
    cpu_cpi: float = parameter(
        0.4,
        title="CPU-bound CPI",
        description="At most this, and the bandwidth below, is CPU-bound.",
        ge=0,
        le=100,
        step=0.01,
        slider=(0, 3),
    )
    cpu_gbs: float = parameter(
        180.0,
        title="CPU-bound MEM_GBS",
        description="At most this memory bandwidth, and the CPI above, is CPU-bound.",
        ge=0,
        le=1e6,
        step=1,
        unit="GB/s",
        slider=(0, 1000),
    )
    mem_cpi: float = parameter(
        0.4,
        title="MEMORY-bound CPI",
        description="At least this, and the bandwidth below, is MEMORY-bound.",
        ge=0,
        le=100,
        step=0.01,
        slider=(0, 3),
    )
    mem_gbs: float = parameter(
        250.0,
        title="MEMORY-bound MEM_GBS",
        description="At least this memory bandwidth, and the CPI above, is MEMORY-bound.",
        ge=0,
        le=1e6,
        step=1,
        unit="GB/s",
        slider=(0, 1000),
    )
    peak_gbs: float = parameter(
        614.4,
        title="Peak bandwidth",
        description="Of the node's main memory (roofline.TAG.data, first).",
        ge=1,
        le=1e9,
        step=0.1,
        unit="GB/s",
    )
    peak_gflops: float = parameter(
        7168.0,
        title="Peak GFLOPS",
        description="Of the node's arithmetic (roofline.TAG.data, second).",
        ge=1,
        le=1e12,
        step=1,
        unit="GFLOPS",
    )
    bandwidth_share: float = parameter(
        0.75,
        title="Bandwidth share",
        description="Left of the ridge point, a job with at least this share of the peak bandwidth is MEMORY-bound. EAR 5.2 has 0.6.",
        ge=0.05,
        le=1,
        step=0.01,
        slider=(0.05, 1),
    )
    n_cpus: int = parameter(
        112, title="CPUs of a node", description="By which EAR's releases divide; a busy node has no more.", ge=1, le=65_536, step=1
    )
    n_clusters: int = parameter(
        3, title="Clusters", description="Medoids to find; EAR's files hold 3.", ge=2, le=MOST_CLUSTERS, step=1, slider=(2, MOST_CLUSTERS)
    )
    scale: Scale = parameter(
        "cbrt",
        title="Scale",
        description="Standardised cube roots of the metrics, which far-off jobs (GPU, I/O) do not disturb, or standardised metrics.",
    )
    set_aside: SetAside = parameter(
        "nothing", title="Set aside", description="Jobs that the four metrics do not tell of: GPUs at work, nodes that busily wait."
    )
    seed: int = parameter(0, title="Seed", description="Of the samples and the start; the same gives the same.", ge=0, le=2**31 - 1, step=1)
    medoids: str = parameter(
        "", title="Medoids file", description="The line of a medoids.TAG.data to classify by; empty: the medoids found here."
    )
    extremes: str = parameter(
        "", title="Extremes file", description="The line of the extremes.TAG.data beside it: standard deviation and mean of each metric."
    )
    order: Order = parameter(
        "code",
        title="Order in the files",
        description="EAR's code reads CPI, TPI, MEM_GBS, GFLOPS; its documentation says CPI, TPI, GFLOPS, MEM_GBS.",
    )
    job: str = parameter(
        "", title="Job", description="The job that is shown in time, with its step: 25335297.1. Empty: the one with most loops."
    )
    reference_policy: str = parameter(
        "",
        title="Reference policy",
        description="What the other policies are compared with. Empty: monitoring, else the most frequent one.",
    )
    reference_khz: int | None = parameter(
        None,
        title="Reference frequency",
        description="The default CPU frequency of the reference runs. Empty: the highest of its runs that is no turbo.",
        ge=1,
        le=100_000_000,
        step=1,
        unit="kHz",
    )

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if bool(self.medoids) != bool(self.extremes):
            given, lacking = ("medoids", "extremes") if self.medoids else ("extremes", "medoids")
            raise ValueError(f"{lacking}: the {given} are given but these are not; EAR needs both. Give both lines, or neither.")
        try:
            self.ear_medoids  # noqa: B018
            self.ear_extremes  # noqa: B018
        except ReadError as refusal:
            raise ValueError(str(refusal)) from None
        return self

    @property
    def thresholds(self) -> Thresholds:
        """The limits of the default strategy."""
        return Thresholds(cpu_cpi=self.cpu_cpi, cpu_gbs=self.cpu_gbs, mem_cpi=self.mem_cpi, mem_gbs=self.mem_gbs)

    @property
    def peaks(self) -> Peaks:
        """The roofline."""
        return Peaks(gbs=self.peak_gbs, gflops=self.peak_gflops, n_cpus=self.n_cpus)

    @property
    def ear_medoids(self) -> Medoids | None:
        """The medoids given; None where there are none."""
        return read_medoids(self.medoids, order=self.order) if self.medoids else None

    @property
    def ear_extremes(self) -> Extremes | None:
        """The extremes given; None where there are none."""
        return read_extremes(self.extremes, order=self.order) if self.extremes else None
