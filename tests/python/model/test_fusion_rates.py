"""What instructions of a fusion are weighed by: figures of the device's own maker."""

import pytest

from made.findings import values
from made.recorded import DATA
from made.views import op_statistics
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.model.devices.table import device_models
from scopelight.model.fusion_rates import backend_rates
from scopelight.model.opening.profile import open_profile
from scopelight.model.stated_peaks import StatedPeaks

MAKERS = {"AMD": "AMD", "Nvidia": "NVIDIA", "NVIDIA": "NVIDIA"}


@pytest.mark.parametrize("vendor", MAKERS)
def test_a_gpu_is_weighed_by_a_data_sheet_of_its_own_maker(vendor):
    rates = backend_rates("gpu", StatedPeaks(vendor=vendor))
    maker = MAKERS[vendor]
    assert maker in rates.source
    assert not any(other in rates.source for other in set(MAKERS.values()) - {maker})
    # The ratio is one of a device in the table.
    ratios = [
        each.flops_per_s["bf16"] / each.bytes_per_s["main"]
        for each in device_models()
        if each.kind == "gpu" and each.name.startswith(maker) and "bf16" in each.flops_per_s
    ]
    assert any(rates.flops_per_byte == pytest.approx(ratio, rel=0.005) for ratio in ratios)


def test_a_gpu_of_a_maker_that_is_not_known_is_weighed_as_nobodys():
    rates = backend_rates("gpu", StatedPeaks(vendor="Intel"))
    assert not any(maker in rates.source for maker in MAKERS.values())
    for stated in (None, StatedPeaks(cores=80)):
        assert "does not say" in backend_rates("gpu", stated).source


@pytest.mark.parametrize("folder", ["mi300x-conv", "mi300x-elementwise", "mi355x-te-attention"])
def test_fusions_of_an_amd_gpu_are_divided_by_amds_figures(folder):
    if not (DATA / folder).is_dir():
        pytest.skip("../shared/data is absent")
    profile = open_profile(DATA / folder)
    how = values(hot_lines(profile), "fusions-divided")
    assert "AMD" in how["source"]
    assert "NVIDIA" not in how["source"]
    assert op_statistics(profile).op_time_ps == hot_lines(profile).op_time_ps
