"""The parameters of signatures; form, link, bounds and snippets all come from this model."""

from typing import Literal, Self

from pydantic import model_validator

from hemcore.errors import ReadError, UnknownNameError
from hemcore.params import Params, parameter
from hemcore.signatures.class_rules import Rules
from hemcore.signatures.clusters.clara import Scale
from hemcore.signatures.clusters.ear_kmedoids import MOST_CLUSTERS
from hemcore.signatures.ear.ear_files import Order, read_extremes, read_medoids
from hemcore.signatures.ear.ear_models import Extremes, Medoids
from hemcore.signatures.ear.machines import Peaks, Thresholds
from hemcore.signatures.ear.processors import PROCESSORS, Processor, find_processor
from hemcore.signatures.signature_rows import SetAside

Chosen = Literal["as EAR chooses", "k-medoids", "roofline", "default"]
# Until the processor is chosen or the peaks are entered, the node is taken to have two of USUAL.
ASSUMED, USUAL = "assumed", "Xeon Platinum 8480+"


class SignatureParams(Params):
    """How signatures are classified and compared (EAR documentation, "Classification").

    The thresholds' defaults, and the peaks while `assumed`, are for a node with two Xeon Platinum 8480+.
    """

    processor: str = parameter(
        ASSUMED,
        title="Processor",
        description="The node's processor, as in /proc/cpuinfo, for its peaks: double precision at base clock. For one that is not listed, "
        "enter the peaks.",
    )
    sockets: int = parameter(2, title="Sockets", description="Processors per node.", ge=1, le=16, step=1)
    strategy: Chosen = parameter(
        "as EAR chooses",
        title="Strategy",
        description="The strategy whose class counts. EAR uses k-medoids if it has the files for it, else the roofline. k-medoids without "
        "files: medoids of this table.",
    )
    rules: Rules = parameter(
        "documentation",
        title="Rules",
        description="EAR's documented rules, or those of its releases 5.1, or 5.2 to 6.3: strict inequalities, values divided by the CPUs.",
    )
    cpu_cpi: float = parameter(
        0.4,
        title="CPU-bound CPI",
        description="CPU-bound needs a CPI of at most this, and the bandwidth below.",
        ge=0,
        le=100,
        step=0.01,
        slider=(0, 3),
    )
    cpu_gbs: float = parameter(
        180.0,
        title="CPU-bound MEM_GBS",
        description="CPU-bound needs a memory bandwidth of at most this, and the CPI above.",
        ge=0,
        le=1e6,
        step=1,
        unit="GB/s",
        slider=(0, 1000),
    )
    mem_cpi: float = parameter(
        0.4,
        title="MEMORY-bound CPI",
        description="MEMORY-bound needs a CPI of at least this, and the bandwidth below.",
        ge=0,
        le=100,
        step=0.01,
        slider=(0, 3),
    )
    mem_gbs: float = parameter(
        250.0,
        title="MEMORY-bound MEM_GBS",
        description="MEMORY-bound needs a memory bandwidth of at least this, and the CPI above.",
        ge=0,
        le=1e6,
        step=1,
        unit="GB/s",
        slider=(0, 1000),
    )
    peak_gbs: float | None = parameter(
        None,
        title="Peak bandwidth",
        description="Peak main-memory bandwidth of the node (first number of roofline.TAG.data). Empty: by the processor.",
        ge=1,
        le=1e9,
        step=0.1,
        unit="GB/s",
    )
    peak_gflops: float | None = parameter(
        None,
        title="Peak GFLOPS",
        description="Peak arithmetic rate of the node (second number of roofline.TAG.data). Empty: by the processor.",
        ge=1,
        le=1e12,
        step=1,
        unit="GFLOPS",
    )
    bandwidth_share: float = parameter(
        0.75,
        title="Bandwidth share",
        description="Left of the ridge point, a job with at least this share of the peak bandwidth is MEMORY-bound. EAR 5.2 uses 0.6.",
        ge=0.05,
        le=1,
        step=0.01,
        slider=(0.05, 1),
    )
    n_cpus: int | None = parameter(
        None,
        title="CPUs per node",
        description="EAR's releases divide by it; a busy node cannot use more CPUs. Empty: the processor's cores.",
        ge=1,
        le=65_536,
        step=1,
    )
    n_clusters: int = parameter(
        3, title="Clusters", description="Medoids to find; EAR's files hold 3.", ge=2, le=MOST_CLUSTERS, step=1, slider=(2, MOST_CLUSTERS)
    )
    scale: Scale = parameter(
        "cbrt",
        title="Scale",
        description="Standardised cube roots of the metrics, which outlying jobs (I/O) hardly affect, or standardised metrics.",
    )
    set_aside: SetAside = parameter(
        "nothing", title="Set aside", description="Jobs that the four metrics do not describe: active GPUs, busy-waiting nodes."
    )
    seed: int = parameter(0, title="Seed", description="Random seed of the samples and the start.", ge=0, le=2**31 - 1, step=1)
    medoids: str = parameter(
        "", title="Medoids file", description="The line of a medoids.TAG.data to classify with. Empty: the medoids computed here."
    )
    extremes: str = parameter(
        "", title="Extremes file", description="The line of the matching extremes.TAG.data: standard deviation and mean of each metric."
    )
    order: Order = parameter(
        "code",
        title="Order in the files",
        description="EAR's code reads CPI, TPI, MEM_GBS, GFLOPS; its documentation lists CPI, TPI, GFLOPS, MEM_GBS.",
    )
    job: str = parameter(
        "", title="Job", description="The job shown over time, with its step: 25335297.1. Empty: the one with the most loops."
    )
    reference_policy: str = parameter(
        "",
        title="Reference policy",
        description="The policy that others are compared with. Empty: monitoring, or else the most frequent one.",
    )
    reference_khz: int | None = parameter(
        None,
        title="Reference frequency",
        description="The default CPU frequency of the reference runs. Empty: their highest non-turbo frequency.",
        ge=1,
        le=100_000_000,
        step=1,
        unit="kHz",
    )

    lost_time: float = parameter(
        0.05,
        title="Time that may be lost",
        description="Per application: the policy and frequency with the least energy that was measured within this loss is taken.",
        ge=0,
        le=10,
        step=0.01,
        slider=(0, 0.5),
    )
    price: float = parameter(
        0.25,
        title="Price per kWh",
        description="In any currency, for what the energy of all signatures costs.",
        ge=0,
        le=1_000,
        step=0.01,
        slider=(0, 1),
    )

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if bool(self.medoids) != bool(self.extremes):
            given, lacking = ("medoids", "extremes") if self.medoids else ("extremes", "medoids")
            raise ValueError(f"{lacking}: missing while the {given} are given; EAR needs both. Enter both lines, or neither.")
        try:
            find_processor(self._processor)
            self.ear_medoids  # noqa: B018
            self.ear_extremes  # noqa: B018
        except (ReadError, UnknownNameError) as refusal:
            raise ValueError(str(refusal)) from None
        return self

    @property
    def thresholds(self) -> Thresholds:
        """The limits of the default strategy."""
        return Thresholds(cpu_cpi=self.cpu_cpi, cpu_gbs=self.cpu_gbs, mem_cpi=self.mem_cpi, mem_gbs=self.mem_gbs)

    @property
    def assumed(self) -> bool:
        """Whether the machine is assumed: no processor was chosen, and not every figure that the rules need was entered."""
        lacking = None in (self.peak_gbs, self.peak_gflops) or (self.rules != "documentation" and self.n_cpus is None)
        return self.processor == ASSUMED and lacking

    @property
    def machine(self) -> str:
        """The machine as text: "2 x EPYC 9654"."""
        entered = [each is not None for each in (self.peak_gbs, self.peak_gflops)]
        if all(entered) and self.processor == ASSUMED:
            return "the peaks entered"
        return f"{self.sockets} x {find_processor(self._processor)}" + (", with peaks as entered" if any(entered) else "")

    @property
    def peaks(self) -> Peaks:
        """The roofline: the peaks entered, else the processor's. n_cpus is never None."""
        node = self.node.peaks(self.sockets)
        gbs, gflops, n_cpus = self.peak_gbs or node.gbs, self.peak_gflops or node.gflops, self.n_cpus or node.n_cpus
        both = self.peak_gbs is not None and self.peak_gflops is not None
        return Peaks(gbs=gbs, gflops=gflops, n_cpus=n_cpus, source=self.machine if both else f"{self.machine}: {node.source}")

    @property
    def cpus(self) -> int:
        """The CPUs of a node: those entered, else the processor's cores."""
        return self.peaks.n_cpus or 1

    @property
    def node(self) -> Processor:
        """The processor chosen, or the assumed one."""
        return PROCESSORS[find_processor(self._processor)]

    @property
    def _processor(self) -> str:
        return USUAL if self.processor == ASSUMED else self.processor

    @property
    def ear_medoids(self) -> Medoids | None:
        """The medoids entered, or None."""
        return read_medoids(self.medoids, order=self.order) if self.medoids else None

    @property
    def ear_extremes(self) -> Extremes | None:
        """The extremes entered, or None."""
        return read_extremes(self.extremes, order=self.order) if self.extremes else None
