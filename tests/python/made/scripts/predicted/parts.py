"""A step with parts that a TPU refuses, emulates or leaves to the host, and one that compiles; tests count by hand."""

import jax
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
scope = jax.named_scope


def dense(x):
    with scope("dense"):
        x = lax.tanh(lax.dot(x, x))
        return lax.add(x, lax.dot(x, x, precision=lax.DotAlgorithmPreset.TF32_TF32_F32))


def precise(x):
    with scope("precise"):
        wide = lax.convert_element_type(x, np.float64)
        for _ in range(2):
            wide = lax.add(lax.sin(wide), wide)
        with scope("whole"):
            numbers = lax.convert_element_type(x, np.int64)
            numbers = lax.mul(numbers, numbers)
            wide = lax.add(wide, lax.convert_element_type(numbers, np.float64))
        return lax.convert_element_type(wide, np.float32)


def spectrum(x):
    with scope("spectrum"):
        return lax.linalg.eig(lax.neg(x), compute_left_eigenvectors=False, compute_right_eigenvectors=False)


def waves(x):
    with scope("waves"):
        return lax.complex(x, x)


def outside(x):
    with scope("outside"):
        x = jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
        return lax.neg(jax.ffi.ffi_call("made_up_target", jax.ShapeDtypeStruct(x.shape, x.dtype))(x))


@jax.jit
def step(x):
    with scope("model"):
        return dense(x), precise(x), spectrum(x), waves(x), outside(x)


@jax.jit
def small(x):
    with scope("small"):
        return lax.cos(x), lax.sin(lax.convert_element_type(x, np.float64))


step(np.ones((128, 128), np.float32))
small(np.ones(1024, np.float32))
