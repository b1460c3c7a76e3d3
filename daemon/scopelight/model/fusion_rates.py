"""What a device is taken to cost where nothing was measured: a ratio of FLOPs to bytes for each kind and maker.

The figures only weigh the instructions of one fusion against each other; no time is derived from them.
"""

import attrs

from scopelight.model.stated_peaks import StatedPeaks
from scopelight.program.cost.rates import BackendRates

_WEIGHTS = (
    (("divide", "clamp"), 3.0, 4.0),
    (("sqrt",), 5.0, 4.0),
    (("rsqrt",), 10.0, 4.0),
    (("exponential", "log", "tanh"), 30.0, 8.0),
    (("logistic", "log-plus-one", "exponential-minus-one"), 35.0, 8.0),
    (("erf",), 30.0, 15.0),
    (("sine", "cosine", "remainder"), 100.0, 25.0),
    (("power",), 200.0, 40.0),
    (("tan", "atan2", "cbrt"), 300.0, 40.0),
    (("acos", "acosh", "asin", "asinh", "atanh", "sinh", "cosh"), 100.0, 40.0),
    (("rng-bit-generator",), 20.0, 20.0),
    (("rng",), 40.0, 40.0),
)
"""Time per element of opcodes over that of an add, on a CPU and on an accelerator.

CPU: measured in fusions of XLA:CPU (jax 0.10.2), f32, per core of an AMD EPYC with AVX2, where an add takes 0.045 ns;
rounded, for it varies by half with range and array size. Accelerators: special-function units run at an eighth of the
vector rate (NVIDIA: 16 of 128 lanes; AMD: a quarter of 64 lanes, where packed adds have 128, LLVM's SISchedule.td); the
others are counts of the vector instructions of their polynomials.
"""
_CPU_WEIGHTS = {opcode: weight for opcodes, weight, _ in _WEIGHTS for opcode in opcodes}
_ACCELERATOR_WEIGHTS = {opcode: weight for opcodes, _, weight in _WEIGHTS for opcode in opcodes}

_RATES = {
    "cpu": BackendRates(
        kind="cpu",
        flops_per_byte=16.0,
        elementwise_flops=4.0,
        source="one core of a server CPU with AVX2: 78 GFLOP/s of f32 matrix product to 4.9 GB/s, measured",
        opcode_weights=_CPU_WEIGHTS,
    ),
    "gpu": BackendRates(
        kind="gpu",
        flops_per_byte=295.0,
        elementwise_flops=30.0,
        source="NVIDIA H100 SXM data sheet: 989 TFLOP/s of bf16 to 3.35 TB/s",
        opcode_weights=_ACCELERATOR_WEIGHTS,
    ),
    "gpu of AMD": BackendRates(
        kind="gpu",
        flops_per_byte=245.0,
        elementwise_flops=16.0,
        source="AMD Instinct MI300X data sheet: 1,307 TFLOP/s of bf16 to 5.325 TB/s",
        opcode_weights=_ACCELERATOR_WEIGHTS,
    ),
    "gpu of another": BackendRates(
        kind="gpu",
        flops_per_byte=16.0,
        elementwise_flops=2.0,
        source="a GPU of a maker whose rates are not known, taken to have no matrix units: as a CPU",
        opcode_weights=_ACCELERATOR_WEIGHTS,
    ),
    "tpu": BackendRates(
        kind="tpu",
        flops_per_byte=240.0,
        elementwise_flops=32.0,
        source="Google Cloud TPU v5e documentation: 197 TFLOP/s of bf16 to 819 GB/s",
        opcode_weights=_ACCELERATOR_WEIGHTS,
    ),
}


_RATES["gpu of unknown"] = attrs.evolve(
    _RATES["gpu"], source=f"{_RATES['gpu'].source}; whose the GPU is the profile does not say"
)


def backend_rates(kind: str, stated: StatedPeaks | None = None) -> BackendRates:
    """Rates for ``tpu``, ``gpu`` or ``cpu``; any other kind is weighed as a CPU.

    A GPU is weighed as one of its maker, which its plane states. Profiles written before that are of NVIDIA GPUs.
    """
    if kind == "gpu" and stated is not None:
        if stated.is_amd:
            return _RATES["gpu of AMD"]
        if not stated.is_nvidia:
            return _RATES["gpu of another"]
    if kind == "gpu" and (stated is None or not stated.vendor):
        return _RATES["gpu of unknown"]
    return _RATES.get(kind, _RATES["cpu"])
