"""What devices can do at most: stated by the profile, from the table, measured, or set."""

import json
import subprocess
import sys
from pathlib import Path

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.findings import said
from scopelight.formats.lenient import from_json
from scopelight.model.devices.gpu_rates import core_rates
from scopelight.model.devices.peaks import OwnPeaks, find_peaks, full_name, peak_of_type
from scopelight.model.devices.table import device_model, device_models
from scopelight.model.executions import Device, Executions, ProgramRuns
from scopelight.model.opening.profile import open_profile
from scopelight.model.profile import Profile
from scopelight.model.run.calibration import Calibration
from scopelight.model.run.information import CaptureProgress, RecordedDevice, RunInformation
from scopelight.model.run.listing import kind_in_full
from scopelight.model.stated_peaks import StatedPeaks, stated_peaks

NONE_32 = np.zeros(0, dtype=np.int32)
NONE_64 = np.zeros(0, dtype=np.int64)
STATS = (
    "peak_teraflops_per_second",
    "peak_vmem_rd_bw_gigabytes_per_second",
    "memory_bandwidth",
    "memory_size",
    "clock_rate",
    "core_count",
    "compute_cap_major",
    "compute_cap_minor",
    "device_vendor",
    "device_type_string",
)
CALIBRATION = Calibration({"f32": 8e11, "f64": 4e11}, 5e10, 2**34, 8, "A CPU", "0.10.2")


def profile(*devices: Device, capture: RunInformation | None = None) -> Profile:
    executions = Executions(NONE_32, NONE_32, NONE_32, NONE_32, NONE_64, NONE_64, NONE_64, devices=devices)
    runs = ProgramRuns(NONE_32, NONE_32, NONE_64.astype(np.uint64), NONE_64, NONE_64, NONE_64)
    return Profile(Path("made"), executions, runs, (), 0, capture=capture)


def gpu(**stated) -> Device:
    return Device("/device:GPU:0", "gpu", stated=StatedPeaks(**stated))


@pytest.mark.parametrize(
    ("folder", "flops_per_s", "bytes_per_s", "memory_bytes", "basis"),
    [
        # 918 TFLOP/s and 1638 GB/s are stated; 1836 TOP/s is what Google says of int8.
        ("tpu-v6e-host-offload", {"bf16": 918e12, "s8": 1836e12}, 1637993152512.0, 32 * 2**30, "stated"),
        # AMD's data sheet: 1307.4, 163.4 and 2614.9 TFLOP/s, 5.3 TB/s, of which the profile states half.
        ("mi300x-conv", {"f16": 1307.4e12, "f32": 163.4e12, "f8": 2614.9e12}, 5325e9, 206141652992, "corrected"),
        ("mi300x-elementwise", {"f16": 1307.4e12}, 5325e9, 206141652992, "corrected"),
        # AMD's data sheet of the MI355X; the profile states 4.096 TB/s.
        (
            "mi355x-te-attention",
            {"bf16": 2516.6e12, "f32": 157.3e12, "f64": 78.6e12, "f8": 5033.2e12, "f4": 10066.3e12},
            8e12,
            309220868096,
            "corrected",
        ),
        # NVIDIA's data sheet: 125, 15.7 and 7.8 TFLOP/s, 900 GB/s.
        ("v100-tensorflow", {"f16": 125e12, "f32": 15.7e12, "f64": 7.8e12}, 898048000000.0, 16945512448, "stated"),
    ],
)
def test_recorded_devices_have_the_rates_of_their_data_sheets(
    shared_data, folder, flops_per_s, bytes_per_s, memory_bytes, basis
):
    opened = open_profile(shared_data / folder)
    peaks, why_none = find_peaks(opened)
    assert why_none is None
    assert [each.device for each in peaks] == [device.name for device in opened.executions.devices]
    for each in peaks:
        assert each.basis == basis
        assert each.corrected == (("main",) if basis == "corrected" else ())
        for element_type, rate in flops_per_s.items():
            assert each.flops_per_s_of(element_type) == pytest.approx(rate, rel=0.005)
        assert each.bytes_per_s["main"] == pytest.approx(bytes_per_s)
        assert each.memory_bytes == memory_bytes


def test_a_tpu_states_its_inner_memory_too(shared_data):
    peaks, _ = find_peaks(open_profile(shared_data / "tpu-v6e-host-offload"))
    assert peaks[0].bytes_per_s["vmem"] == pytest.approx(23296e9, rel=1e-3)
    assert "cmem" not in peaks[0].bytes_per_s, "0 is how a device says that it has none"
    assert "918 TFLOP/s" in said(peaks[0].sources)
    assert "f32" in said(peaks[0].sources)


@pytest.mark.parametrize("name", ["TPU v5e", "TPU v5 lite", "v5e", "tpu V5 LITE"])
def test_a_tpu_is_found_by_each_of_its_names(name):
    assert device_model(name) is device_model("TPU v5e") is not None


def test_every_device_is_found_by_its_names_and_no_two_share_one():
    names = [name for model in device_models() for name in (model.name, *model.aliases)]
    assert len({"".join(name.lower().split()) for name in names}) == len(names)
    for model in device_models():
        assert all(device_model(name) is model for name in (model.name, *model.aliases))
        assert model.source
        assert all(rate > 0 for rate in (*model.flops_per_s.values(), *model.bytes_per_s.values()))
    assert device_model("") is None
    assert device_model("TPU v99") is None


def test_table_agrees_with_the_cores_and_clocks_of_the_same_gpus():
    # SMs or compute units, and boost clock, from the same data sheets.
    for name, vendor, capability, cores, clock_hz in (
        ("V100", "NVIDIA", (7, 0), 80, 1.53e9),
        ("A100", "NVIDIA", (8, 0), 108, 1.41e9),
        ("H100", "NVIDIA", (9, 0), 132, 1.83e9),
        ("MI210", "AMD", (9, 0), 104, 1.7e9),
        ("MI250X", "AMD", (9, 0), 110, 1.7e9),
        ("MI300X", "AMD", (9, 4), 304, 2.1e9),
        ("MI300A", "AMD", (9, 4), 228, 2.1e9),
        ("MI325X", "AMD", (9, 4), 304, 2.1e9),
        ("MI350X", "AMD", (9, 5), 256, 2.2e9),
        ("MI355X", "AMD", (9, 5), 256, 2.4e9),
        ("MI100", "AMD", (9, 0), 120, 1.502e9),
        ("GTX 1080 Ti", "NVIDIA", (6, 1), 28, 1.582e9),
        ("P100", "NVIDIA", (6, 0), 56, 1.48e9),
        ("T4", "NVIDIA", (7, 5), 40, 1.59e9),
        ("A10", "NVIDIA", (8, 6), 72, 1.695e9),
        ("RTX 3090", "NVIDIA", (8, 6), 82, 1.695e9),
        ("L4", "NVIDIA", (8, 9), 58, 2.04e9),
        ("L40S", "NVIDIA", (8, 9), 142, 2.52e9),
        ("RTX 4090", "NVIDIA", (8, 9), 128, 2.52e9),
        ("B200", "NVIDIA", (10, 0), 148, 1.85e9),
        ("RTX 5090", "NVIDIA", (12, 0), 170, 2.407e9),
    ):
        model = device_model(name)
        assert model is not None
        rates = core_rates(StatedPeaks(vendor=vendor, compute_capability=capability, cores=cores), model.name)
        assert rates is not None
        for element_type, flops in model.flops_per_s.items():
            if (name, element_type) in (("H100", "f64"), ("B200", "f64")):
                continue  # The data sheet has it at a higher clock.
            if (name, element_type) == ("A10", "s4"):
                continue  # Not in the table by cores: XLA has no products of s4 on GPUs.
            computed = rates.flops_per_cycle[element_type] * cores * clock_hz
            assert computed == pytest.approx(flops, rel=0.02), (name, element_type)


def test_table_agrees_with_jax_about_tpus():
    tpu_info = pytest.importorskip("jax._src.pallas.mosaic.tpu_info")
    for name, version, cores in (
        ("v2", "TPU_V2", 1),
        ("v4", "TPU_V4", 2),
        ("v5e", "TPU_V5E", 1),
        ("v5p", "TPU_V5P", 2),
        ("v6e", "TPU_V6E", 1),
        ("7x", "TPU_7X", 1),
    ):
        theirs = tpu_info.get_tpu_info_for_chip(tpu_info.ChipVersion[version], cores)
        model = device_model(name)
        assert model is not None
        assert model.flops_per_s["bf16"] == pytest.approx(theirs.bf16_ops_per_second * cores, rel=0.01)
        assert model.bytes_per_s["main"] == pytest.approx(theirs.mem_bw_bytes_per_second * cores, rel=0.13)
        assert model.matrix_unit == (theirs.mxu_column_size, theirs.mxu_column_size)
        assert tpu_info.chip_version_from_device_kind({"7x": "TPU7x"}.get(name, model.name)) is not None


def test_nvidia_takes_the_nearest_older_generation_of_the_same_kind():
    def flops(capability):
        rates = core_rates(StatedPeaks(vendor="Nvidia", compute_capability=capability))
        return rates and rates.flops_per_cycle["f32"]

    assert flops((8, 7)) == flops((8, 6)) != flops((8, 0))
    assert flops((5, 2)) is None
    assert flops((99, 0)) is None


def test_amd_without_a_name_is_told_by_its_compute_units():
    mi100 = core_rates(StatedPeaks(vendor="AMD", compute_capability=(9, 0), cores=120))
    mi250 = core_rates(StatedPeaks(vendor="AMD", compute_capability=(9, 0), cores=104))
    assert (mi100 and mi100.generation, mi250 and mi250.generation) == ("gfx908", "gfx90a")
    named = core_rates(StatedPeaks(vendor="AMD", name="gfx942:sramecc+:xnack-", cores=304))
    assert named is not None
    assert named.generation == "gfx942"


def test_hbm_of_a_gpu_that_states_the_whole_bandwidth_is_left_alone():
    stated = {"vendor": "AMD", "compute_capability": (9, 4), "cores": 304, "clock_hz": 2.1e9}
    whole = gpu(**stated, bytes_per_s=(("main", 5.3e12),), memory_bytes=192 * 2**30)
    (found,), _ = find_peaks(profile(whole))
    assert (found.basis, found.bytes_per_s, found.corrected) == ("stated", {"main": 5.3e12}, ())
    # Nor is a GPU of another maker or generation that happens to state half of theirs.
    for other in ({"vendor": "NVIDIA", "compute_capability": (9, 0)}, {"vendor": "AMD", "compute_capability": (9, 0)}):
        (found,), _ = find_peaks(profile(gpu(**{**stated, **other}, bytes_per_s=(("main", 2.6624e12),))))
        assert (found.basis, found.bytes_per_s) == ("stated", {"main": 2.6624e12})


@pytest.mark.parametrize(
    ("capability", "cores", "clock_hz", "gibibytes", "stated_bytes_per_s", "name"),
    [
        ((9, 4), 304, 2.1e9, 192, 2.6624e12, "MI300X"),
        ((9, 4), 228, 2.1e9, 128, 2.6624e12, "MI300A"),
        # 256 GB at 6 TB/s, of which 3.07 TB/s are 8,192 bits at half of 6 Gbit/s.
        ((9, 4), 304, 2.1e9, 256, 3.072e12, "MI325X"),
        ((9, 5), 256, 2.2e9, 288, 4.096e12, "MI350X"),
        ((9, 5), 256, 2.4e9, 288, 4.096e12, "MI355X"),
    ],
)
def test_hbm3_of_which_half_is_stated_is_corrected_and_says_why(
    capability, cores, clock_hz, gibibytes, stated_bytes_per_s, name
):
    device = gpu(
        vendor="AMD",
        compute_capability=capability,
        cores=cores,
        clock_hz=clock_hz,
        bytes_per_s=(("main", stated_bytes_per_s),),
        memory_bytes=gibibytes * 2**30,
    )
    (found,), _ = find_peaks(profile(device))
    model = device_model(name)
    assert (found.basis, found.corrected, found.bytes_per_s) == ("corrected", ("main",), model.bytes_per_s)
    why = next(each for each in found.sources if each.code == "bandwidth-half-stated")
    assert (why.values["stated_bytes_per_s"], why.values["model"]) == (stated_bytes_per_s, model.name)
    assert "half" in said(found.sources)
    # The user's own figure is the user's.
    (own,), _ = find_peaks(profile(device), OwnPeaks(None, 1e12))
    assert (own.basis, own.corrected) == ("setting", ())
    # A unit of it that is no product of the table states half as well.
    (unnamed,), _ = find_peaks(profile(attrs.evolve(device, stated=attrs.evolve(device.stated, cores=80))))
    assert (unnamed.basis, unnamed.bytes_per_s) == ("corrected", model.bytes_per_s)


def test_a_geforce_board_has_half_of_the_tensor_rates_of_its_generation():
    def rates(name, capability):
        return core_rates(StatedPeaks(vendor="Nvidia", name=name, compute_capability=capability)).flops_per_cycle

    for capability in ((8, 6), (8, 9), (12, 0)):
        board, card = rates("NVIDIA GeForce RTX", capability), rates("NVIDIA RTX 6000", capability)
        assert {name for name in card if board[name] != card[name]} >= {"f32", "bf16", "f16"}
        assert all(board[name] in (card[name], card[name] // 2) for name in card)
    # jax knows the name where the profile does not state it.
    capture = RunInformation(devices=(RecordedDevice(kind="NVIDIA GeForce RTX 4080"),), exit_code=0)
    unnamed = gpu(vendor="Nvidia", compute_capability=(8, 9), cores=76, clock_hz=2.505e9)
    (found,), _ = find_peaks(profile(unnamed, capture=capture))
    assert found.flops_per_s["bf16"] == pytest.approx(97.5e12, rel=0.01)


def test_a_device_that_states_nothing_is_looked_up_by_what_jax_called_it():
    capture = RunInformation(devices=(RecordedDevice(kind="TPU v4"),), exit_code=0)
    peaks, why_none = find_peaks(profile(Device("/device:TPU:0", "tpu"), capture=capture))
    assert why_none is None
    assert peaks[0].basis == "table"
    assert peaks[0].flops_per_s_of("bf16") == 275e12
    assert peaks[0].flops_per_s_of("f8e4m3fn") is None


def test_a_sparse_core_has_no_peak_of_the_tensor_cores():
    capture = RunInformation(devices=(RecordedDevice(kind="TPU v5"),), exit_code=0)
    devices = Device("/device:TPU:0", "tpu"), Device("/device:TPU:0 SparseCore 0", "tpu")
    peaks, why_none = find_peaks(profile(*devices, capture=capture))
    assert why_none is None
    assert [each.device for each in peaks] == ["/device:TPU:0"]


def test_an_unknown_gpu_keeps_its_bandwidth_and_says_what_to_do():
    unknown = gpu(vendor="Other", bytes_per_s=(("main", 1e12),), cores=10, clock_hz=1e9)
    peaks, why_none = find_peaks(profile(unknown))
    assert [dict(each.bytes_per_s) for each in peaks] == [{"main": 1e12}]
    assert peaks[0].flops_per_s_of("f32") is None
    assert why_none.values["why"] == "unknown-device"
    assert "peakFlops" in said([why_none])


def test_a_cpu_has_the_peaks_that_were_measured_and_never_a_tables():
    capture = RunInformation(devices=(RecordedDevice(kind="H100"),), exit_code=0)
    cpu = Device("/device:CPU:0", "cpu")
    peaks, why_none = find_peaks(profile(cpu, capture=capture))
    assert not peaks
    assert why_none.values["why"] == "not-measured"
    assert "Profile again" in said([why_none])
    measured = attrs.evolve(capture, calibration=CALIBRATION)
    peaks, why_none = find_peaks(profile(cpu, capture=measured))
    assert why_none is None
    assert (peaks[0].basis, peaks[0].flops_per_s, peaks[0].bytes_per_s) == (
        "calibrated",
        CALIBRATION.flops_per_s,
        {"main": CALIBRATION.bytes_per_s},
    )


def test_the_devices_of_one_cpu_share_its_rates():
    devices = [Device(f"/device:CPU:{number}", "cpu", ordinal=number) for number in range(4)]
    peaks, _ = find_peaks(profile(*devices, capture=RunInformation(calibration=CALIBRATION, exit_code=0)))
    assert sum(each.flops_per_s["f32"] for each in peaks) == CALIBRATION.flops_per_s["f32"]
    assert sum(each.bytes_per_s["main"] for each in peaks) == CALIBRATION.bytes_per_s
    assert "1/4" in said(peaks[0].sources)


@pytest.mark.parametrize(
    ("capture", "why"),
    [
        (RunInformation(exit_code=None), "measured-at-the-end"),
        (RunInformation(exit_code=0, progress=CaptureProgress("calibrating")), "being-measured"),
    ],
)
def test_while_the_machine_is_to_be_measured_there_is_nothing_to_do(capture, why):
    _, why_none = find_peaks(profile(Device("/device:CPU:0", "cpu"), capture=capture))
    assert why_none.values["why"] == why
    assert why_none.action is None
    assert "It is shown from then on" in said([why_none])


@pytest.mark.parametrize(("stage", "exit_code"), [("capturing", None), ("calibrating", 0)])
def test_a_capture_that_was_killed_measures_nothing_any_more(stage, exit_code):
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    capture = RunInformation(exit_code=exit_code, progress=CaptureProgress(stage, pid=process.pid))
    _, why_none = find_peaks(profile(Device("/device:CPU:0", "cpu"), capture=capture))
    assert why_none.values["why"] == "not-measured"
    assert why_none.action is not None


@pytest.mark.parametrize("exit_code", [None, 0])
def test_where_measuring_was_left_out_the_remedy_names_the_option(exit_code):
    capture = RunInformation(exit_code=exit_code, calibrates=False)
    _, why_none = find_peaks(profile(Device("/device:CPU:0", "cpu"), capture=capture))
    assert why_none.values["why"] == "not-to-be-measured"
    assert "scopelight.capture.calibrate" in said([why_none])


def test_a_profile_in_which_nothing_ran_has_no_peaks_and_says_why():
    peaks, why_none = find_peaks(profile())
    assert not peaks
    assert why_none.values["why"] == "nothing-ran"


def test_the_users_figures_come_first():
    own = OwnPeaks({"f32": 1e12}, 2e11)
    capture = RunInformation(calibration=CALIBRATION, exit_code=0)
    peaks, why_none = find_peaks(profile(Device("/device:CPU:0", "cpu"), capture=capture), own)
    assert why_none is None
    assert peaks[0].basis == "setting"
    assert peaks[0].flops_per_s == {"f32": 1e12, "f64": CALIBRATION.flops_per_s["f64"]}
    assert peaks[0].bytes_per_s == {"main": 2e11}
    alone, why_none = find_peaks(profile(Device("/device:CPU:0", "cpu")), own)
    assert why_none is None
    assert alone[0].flops_per_s == {"f32": 1e12}


def test_element_types_that_are_alike_have_one_peak():
    rates = {"f4": 8.0, "f8": 4.0, "s8": 2.0, "f32": 1.0}
    names = ("f4e2m1fn", "f8e4m3fn", "f8e5m2", "u8", "c64", "f32")
    assert [peak_of_type(rates, name) for name in names] == [8, 4, 4, 2, 1, 1]
    assert peak_of_type(rates, "") is None
    assert peak_of_type(rates, "f64") is None
    assert peak_of_type({}, "f32") is None


@given(
    st.dictionaries(
        st.sampled_from(STATS),
        st.one_of(st.integers(-(2**63), 2**64), st.floats(), st.text(max_size=8), st.binary(max_size=8)),
    ),
    st.sampled_from(["tpu", "gpu"]),
)
def test_whatever_a_plane_states_peaks_are_positive_or_absent(stats, kind):
    stated = stated_peaks(stats)
    assert hash(stated) == hash(stated_peaks(stats))
    peaks, _ = find_peaks(profile(Device("/device:0", kind, stated=stated)))
    for each in peaks:
        assert all(rate > 0 for rate in (*each.flops_per_s.values(), *each.bytes_per_s.values()))


@given(st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()), st.lists, max_leaves=5))
def test_a_damaged_calibration_is_none_or_usable(value):
    assert from_json(value, Calibration) is None
    damaged = {"flops_per_s": {"f32": value}, "bytes_per_s": value, "cores": value, "memory_bytes": value}
    found = from_json(damaged, Calibration)
    assert found is None or all(rate > 0 for rate in found.flops_per_s.values())


def test_a_calibration_is_read_as_it_was_written():
    assert from_json(attrs.asdict(CALIBRATION), Calibration) == CALIBRATION


def test_the_editor_offers_every_tpu_as_a_target(project):
    sections = json.loads((project / "package.json").read_text())["contributes"]["configuration"]
    settings = {name: each for section in sections for name, each in section["properties"].items()}
    names = [model.name for model in device_models() if model.kind == "tpu"]
    assert settings["scopelight.target"]["enum"] == ["", *names]


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("tpu-v6e-host-offload", "TPU v6e"),
        ("mi300x-conv", "AMD Instinct MI300X"),
        ("mi355x-te-attention", "AMD Instinct MI355X"),
        # Of a V100 the file has cores and clock, and no name.
        ("v100-tensorflow", "GPU"),
    ],
)
def test_devices_are_called_in_full(shared_data, folder, name):
    opened = open_profile(shared_data / folder)
    peaks, _ = find_peaks(opened)
    assert {full_name(device, opened.capture) for device in opened.executions.devices} == {name}
    assert {each.model for each in peaks} == {name}


@pytest.mark.parametrize(
    ("kind", "platform", "name"),
    [
        ("TPU v6 lite", "tpu", "TPU v6e"),
        ("TPU7x", "tpu", "TPU 7x"),
        ("cpu", "cpu", "CPU"),
        ("NVIDIA RTX 6000 Ada", "gpu", "NVIDIA RTX 6000 Ada"),
    ],
)
def test_what_jax_calls_a_device_is_said_as_people_know_it(kind, platform, name):
    assert kind_in_full(kind) == name
    capture = RunInformation(devices=(RecordedDevice(kind=kind),))
    assert full_name(Device("/device:0", platform), capture) == name
