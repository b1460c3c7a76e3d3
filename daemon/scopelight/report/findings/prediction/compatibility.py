"""Words: why a TPU does not compute ops as they are, and what helps; how it is known."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, count


def _vector_memory(values: Mapping[str, Any]) -> str:
    needed, limit = values["needed_bytes"], values["limit_bytes"]
    if needed is None or limit is None:
        return text(
            "{primitives} needs more of the TPU's vector memory than there is.",
            primitives=as_said("primitives", values["primitives"]),
        )
    return text(
        "{primitives} needs {needed} of the TPU's vector memory, which has {limit}.",
        primitives=as_said("primitives", values["primitives"]),
        needed=byte_size(needed),
        limit=byte_size(limit),
    )


def _judged(values: Mapping[str, Any]) -> str:
    kinds = count(values["kinds"])
    if values["unjudged"]:
        judged = count(values["kinds"] - values["unjudged"])
        if not values["alone"]:
            return text(
                "{judged} of {kinds} kinds of ops judged: an op of a program that compiles is valid.",
                judged=judged,
                kinds=kinds,
            )
        return text(
            "{judged} of {kinds} kinds of ops judged, {alone} of them compiled alone, since no program that compiles"
            " has them; an op of a program that compiles is valid.",
            judged=judged,
            kinds=kinds,
            alone=count(values["alone"]),
        )
    if not values["alone"]:
        return text(
            "Of {kinds} kinds of ops nothing had to be compiled alone: an op of a program that compiles is valid.",
            kinds=kinds,
        )
    return text(
        "Of {kinds} kinds of ops {alone} were compiled alone, since no program that compiles has them; an op of a"
        " program that compiles is valid.",
        kinds=kinds,
        alone=count(values["alone"]),
    )


WORDS = {
    "compatibility-not-judged": Words(
        "This run was measured: what a TPU would do with its ops was not asked.",
        "Ask with scopelight preflight SCRIPT, or What Would a TPU Do? in the editor.",
    ),
    "compatibility-unknown": Words(
        "What the TPU would do with single ops is not known of this run: the script ended before it could tell them.",
        "Predict it again.",
    ),
    "compatibility-not-whole": Words(
        "The script was ended before it had told all its ops: those that are missing are in no figure.",
        "Predict it again and let it end by itself.",
    ),
    "compatibility-lost": Words("The ops of a program could not be told ({message}): they are in no figure."),
    "compatibility-judged": Words(_judged),
    "emulated-wide": Words(
        "{ops} ops compute with {types}, which a TPU does not have: each is computed as pairs of narrower numbers, many"
        " times slower.",
        "Leave jax_enable_x64 off, or convert to float32 or int32 where such numbers come in.",
        one="1 op computes with {types}, which a TPU does not have: it is computed as pairs of narrower numbers, many"
        " times slower.",
        number="ops",
    ),
    "emulated-complex": Words(
        "{ops} ops compute with {types}, which a TPU computes as pairs of real numbers.",
        "Keep real and imaginary parts apart where it is done often.",
        one="1 op computes with {types}, which a TPU computes as pairs of real numbers.",
        number="ops",
    ),
    "emulated-float8": Words(
        "{ops} products are of {types}, which the matrix units of this TPU do not multiply: they are widened, so that"
        " they take less memory, and no less time than products of bfloat16.",
        "Keep such numbers for the memory that they save, or take a newer TPU, which multiplies them.",
        one="1 product is of {types}, which the matrix units of this TPU do not multiply: they are widened, so that"
        " they take less memory, and no less time than those of bfloat16.",
        number="ops",
    ),
    "on-host-callback": Words(
        "{ops} ops ({primitives}) call Python on the host, for which the TPU waits.",
        "Leave them out of what runs often, or call them every so many steps.",
        one="1 op ({primitives}) calls Python on the host, for which the TPU waits.",
        number="ops",
    ),
    "on-host-compute": Words(
        "{ops} ops are computed by the host's processor, as the script asks.",
        one="1 op is computed by the host's processor, as the script asks.",
        number="ops",
    ),
    "refused-decomposition": Words(
        "jax has no {primitives} for a TPU.",
        "Compute it on the host with jax.pure_callback, or use eigh where the matrix is symmetric.",
    ),
    "refused-no-lowering": Words(
        "jax has no {primitives} for a TPU.",
        "Write it with other operations, or compute it on the host with jax.pure_callback.",
    ),
    "refused-size-unknown": Words(
        "The size of what {primitives} returns depends on values, which are not known while a program is made.",
        "Say the size: size= of jnp.nonzero, jnp.where and jnp.unique; or use jnp.where with three arguments.",
    ),
    "refused-value-asked": Words(
        "Python asks for a value that is not known while a program is made ({primitives}).",
        "Use jnp.where, jax.lax.cond or jax.lax.while_loop, or make the argument static (static_argnames).",
    ),
    "refused-block-shape": Words(
        "Blocks of {ops} Pallas kernels do not fit the TPU's tiles.",
        "Make the last two sizes of every block multiples of 8 and 128, or those of the whole array.",
        one="Blocks of 1 Pallas kernel do not fit the TPU's tiles.",
        number="ops",
    ),
    "refused-vector-memory": Words(
        _vector_memory, "Make its blocks and scratch smaller, and let its grid have more of them."
    ),
    "refused-main-memory": Words(
        "{primitives} alone needs more memory than the TPU has.", "Make it smaller, or divide it among devices."
    ),
    "refused-custom-call": Words(
        "The TPU does not know {targets}: machine code of another device is nothing to it.",
        "Use a Pallas kernel there, with jax.lax.platform_dependent, or call the host with jax.pure_callback.",
    ),
    "refused-triton": Words(
        "{ops} kernels are written for Triton, which is of GPUs.",
        "Write them with jax.experimental.pallas.tpu, and choose with jax.lax.platform_dependent.",
        one="1 kernel is written for Triton, which is of GPUs.",
        number="ops",
    ),
    "refused-fft-of-doubles": Words("A TPU has no Fourier transform of complex128.", "Convert to complex64 before it."),
    "refused-dot-algorithm": Words(
        "A TPU does not have the algorithm that a product asks for: {said}.",
        'Ask for one that it has, such as BF16_BF16_F32_X3, or for precision="highest".',
    ),
    "refused-wide-rewrite": Words(
        "The compiler cannot compute {primitives} with numbers of 64 bits.",
        "Leave jax_enable_x64 off where it is called.",
    ),
    "refused-otherwise": Words(
        "{ops} ops ({primitives}) are refused: {said}.",
        one="1 op ({primitives}) is refused: {said}.",
        number="ops",
    ),
    "refused-together": Words(
        "{program} is refused, although none of its ops is when it is compiled alone: {said}.",
        "Divide the program into smaller ones to find which ops do not go together.",
    ),
    "unjudged-partitioning": Words(
        "{ops} ops are divided among devices by Python of their own (custom_partitioning), which the compiler cannot"
        " call here: what a TPU does with them is not known.",
        one="1 op is divided among devices by Python of its own (custom_partitioning), which the compiler cannot call"
        " here: what a TPU does with it is not known.",
        number="ops",
    ),
    "unjudged-compiler-ended": Words(
        "Of {ops} ops it is not known what a TPU does with them: the compiler ended over them ({said}).",
        "Predict it again.",
        one="Of 1 op it is not known what a TPU does with it: the compiler ended over it ({said}).",
        number="ops",
    ),
    "unjudged-cancelled": Words(
        "Of {ops} ops it is not known what a TPU does with them: the preflight was cancelled before.",
        one="Of 1 op it is not known what a TPU does with it: the preflight was cancelled before.",
        number="ops",
    ),
    "unjudged-otherwise": Words(
        "Of {ops} ops ({primitives}) it is not known what a TPU does with them: none of their programs compiles, and"
        " alone they mean nothing.",
        one="Of 1 op ({primitives}) it is not known what a TPU does with it: no program of it compiles, and alone it"
        " means nothing.",
        number="ops",
    ),
}
