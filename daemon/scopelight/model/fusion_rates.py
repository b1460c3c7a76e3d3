"""What a backend is taken to cost where nothing was measured: one ratio of FLOPs to bytes for each kind.

The figures only weigh the instructions of one fusion against each other; no time is derived from them.
"""

from collections.abc import Mapping

from scopelight.program.cost.rates import BackendRates

_CPU_WEIGHTS: Mapping[str, float] = {
    **dict.fromkeys(("divide", "clamp"), 3.0),
    "sqrt": 5.0,
    "rsqrt": 10.0,
    **dict.fromkeys(("exponential", "log", "tanh", "erf"), 30.0),
    **dict.fromkeys(("logistic", "log-plus-one", "exponential-minus-one"), 35.0),
    **dict.fromkeys(("sine", "cosine", "remainder"), 100.0),
    "power": 200.0,
    **dict.fromkeys(("tan", "atan2", "cbrt"), 300.0),
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atanh", "sinh", "cosh"), 100.0),
    "rng-bit-generator": 20.0,
    "rng": 40.0,
}
"""Time per element of the opcode over that of an add (0.045 ns), measured in fusions of XLA:CPU (jax 0.10.2),
f32, per core of an AMD EPYC with AVX2; rounded, for it varies by half with range and array size."""

_ACCELERATOR_WEIGHTS: Mapping[str, float] = {
    **dict.fromkeys(("divide", "sqrt", "rsqrt", "clamp"), 4.0),
    **dict.fromkeys(("exponential", "log", "tanh", "logistic", "log-plus-one", "exponential-minus-one"), 8.0),
    "erf": 15.0,
    **dict.fromkeys(("sine", "cosine", "remainder"), 25.0),
    **dict.fromkeys(("power", "tan", "atan2", "cbrt"), 40.0),
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atanh", "sinh", "cosh"), 40.0),
    "rng-bit-generator": 20.0,
    "rng": 40.0,
}
"""Special-function units run at an eighth of the vector rate (NVIDIA: 16 of 128 lanes); the others are
counts of the vector instructions of their polynomials."""

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
    "tpu": BackendRates(
        kind="tpu",
        flops_per_byte=240.0,
        elementwise_flops=32.0,
        source="Google Cloud TPU v5e documentation: 197 TFLOP/s of bf16 to 819 GB/s",
        opcode_weights=_ACCELERATOR_WEIGHTS,
    ),
}


def backend_rates(kind: str) -> BackendRates:
    """Rates for ``tpu``, ``gpu`` or ``cpu``; any other kind is weighed as a CPU."""
    return _RATES.get(kind, _RATES["cpu"])
