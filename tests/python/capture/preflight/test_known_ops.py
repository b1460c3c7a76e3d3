"""What was found of an op alone is found again by its key, for the same TPU, compiler and jax."""

from hypothesis import given
from hypothesis import strategies as st

from scopelight.capture.preflight.known_ops import KnownOps
from scopelight.capture.tpu_compiler.task import Verdict
from scopelight.capture.tpu_compiler.topologies import topology_named

JAX = {"jax": "0.10.2", "jaxlib": "0.10.2", "numpy": "2.4"}


def of(folder, tpu="v5e-8", compiler="libtpu 1", versions=None):
    return KnownOps.of(folder, topology_named(tpu), compiler, versions or JAX)


def test_what_is_lasting_is_found_again(tmp_path):
    known = of(tmp_path / "ops")
    assert known.read() == {}
    known.keep({"a": Verdict("refused", "no", "JaxRuntimeError"), "b": Verdict("crashed"), "c": Verdict("no-room")})
    known.keep({"d": Verdict("not-lowered", "no rule", "NotImplementedError")})
    again = of(tmp_path / "ops").read()
    assert again == {
        "a": Verdict("refused", "no", "JaxRuntimeError"),
        "d": Verdict("not-lowered", "no rule", "NotImplementedError"),
    }
    assert [each.suffix for each in (tmp_path / "ops").iterdir()] == [".json"]


def test_other_versions_and_tpus_know_nothing_of_each_other(tmp_path):
    of(tmp_path).keep({"a": Verdict("compiled")})
    assert of(tmp_path, versions={**JAX, "numpy": "9"}).read()
    assert not of(tmp_path, versions={**JAX, "jax": "0.11"}).read()
    assert not of(tmp_path, compiler="libtpu 2").read()
    assert not of(tmp_path, tpu="v6e-8").read()


@given(content=st.binary(max_size=60) | st.sampled_from([b"[]", b'{"a": ["no", "", ""], "b": [1, 2, 3], "c": null}']))
def test_a_damaged_file_says_nothing(tmp_path_factory, content):
    known = of(tmp_path_factory.mktemp("known"))
    known.file.write_bytes(content)
    assert known.read() == {}


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path):
    (tmp_path / "ops").write_text("a file")
    known = of(tmp_path / "ops")
    known.keep({"a": Verdict("compiled")})
    assert known.read() == {}
