"""Characteristic events: each kind is explained, and what is merely called alike is not."""

import pytest

from made.findings import codes, said
from made.xspace import Line, plane, write
from scopelight.analysis.timeline.events.characteristic import explanation
from scopelight.analysis.timeline.events.event import event_record
from scopelight.analysis.timeline.events.selection import selection_record
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.timeline import open_timeline


@pytest.mark.parametrize(
    ("words", "positive", "negative"),
    [
        ("send its next input", "infeed.3", "infeed_flattener"),
        ("send its next input", "%infeed-done = (f32[8], token[]) infeed-done(token[] %after-all)", "infeedless.1"),
        ("hands results to the host", "outfeed", "outfeed_reshape"),
        (
            "sum across replicas",
            "%all-reduce.7 = f32[8]{0:T(128)} all-reduce(f32[8]{0:T(128)} %dot.1), replica_groups={}",
            "%fusion.3 = f32[8]{0:T(128)} fusion(f32[8]{0:T(128)} %all-reduce.7), kind=kLoop",
        ),
        (
            "sum across replicas",
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            "ncclInit",
        ),
        ("gets a part of the result", "reduce-scatter.1.remat2", "reduce.12"),
        ("each has the whole", "all-gather", "gather.2"),
        ("no other work hides", "all-gather-done.4", "copy-done.4"),
        ("while other ops run", "collective-permute-start.1", "permute-start"),
        ("one other device", "collective-permute", "transpose.3"),
        ("takes its next input from a tf.data", "IteratorGetNextAsOptional_3/_30", "GetNext"),
        ("op of a tf.data pipeline", "Iterator::Map::Batch", "MyIterator::next"),
        ("prefetch thread makes an input ahead", "Iterator::Prefetch::Generator", "prefetch_to_device"),
        ("prefetch thread makes an input ahead", "PrefetchProduce", "Prefetch"),
        ("taken from what prefetch threads made", "PrefetchConsume", "PrefetcherState"),
        ("compiles a program", "backend_compile_and_load", "compile_commands"),
        ("compiles a program", "TfrtCpuClient::Compile (jit_step)", "re.compile"),
        (
            "handed a program's ops to other threads",
            "ThunkExecutor::Execute (wait for completion)",
            "ThunkExecutor::Execute",
        ),
        ("waits for the other devices", "Wait for rendezvous callback", "Wait for it"),
        ("waits for the other devices", "Wait: pending_threads=2/4", "Wait: two"),
        ("waits for the other devices", "Rendezvous", "RendezvousKey{run_id=1}"),
        ("waits until nothing uses a buffer", "Wait for donation holds", "Wait for donations"),
    ],
)
def test_each_kind_and_its_namesake(words, positive, negative):
    assert words in said([explanation(positive)])
    assert explanation(negative) is None or words not in said([explanation(negative)])


def test_namesakes_of_no_kind_are_not_explained():
    for name in ("fusion.3", "copy.1", "reduce.12", "dot_general", "python", "", "%", "step 3"):
        assert explanation(name) is None


def test_the_category_tells_where_the_name_does_not():
    assert "sum across replicas" in said([explanation("psum_invariant.7", category="all-reduce")])
    assert "send its next input" in said([explanation("get_next", category="infeed")])
    assert explanation("psum_invariant.7", category="loop fusion") is None


def test_compilation_inside_a_step_is_told_apart():
    assert explanation("backend_compile", in_step=True).code == "event-compiles-in-step"
    assert explanation("backend_compile").code == "event-compiles"
    assert explanation("fusion.3", in_step=True) is None


def test_a_call_of_python_is_told_by_its_op():
    assert explanation("custom-call.3", is_callback=True).code == "event-callback"
    assert explanation("custom-call.3") is None


def test_stages_of_an_input_pipeline_say_what_they_are():
    assert explanation("MapMapDataset", arguments={"_ipl_stage_cat": "prefetch"}).code == "event-pipeline-prefetches"
    assert explanation("MapMapDataset", arguments={"_ipl_stage_cat": "unheard of"}) is None
    assert explanation("MapMapDataset", arguments={}) is None


NAMES = ("send", "recv", "infeed.3", "all-reduce")


def test_annotations_of_the_host_are_not_taken_for_ops_of_a_device(tmp_path):
    events = tuple((name, 2_000 * at, 1_000) for at, name in enumerate((*NAMES, "Rendezvous")))
    file = write(
        tmp_path / "a.xplane.pb",
        plane("/host:CPU", Line("python", events)),
        plane("/device:TPU:0", Line("XLA Ops", events)),
    )
    timeline = open_timeline(file)
    lookups = Lookups(timeline)
    for track in timeline.tracks:
        explained = {
            record.shown_name: record.findings
            for record in (event_record(lookups, track, number) for number in range(len(events)))
        }
        selected = {row.shown_name: row.findings for row in selection_record(lookups, [track.id], 0, 10**6).rows}
        assert explained == selected
        assert all(bool(explained[name]) == (track.section.kind == "device") for name in NAMES)
        assert codes(explained["Rendezvous"]) == ["event-rendezvous"]
    both = selection_record(lookups, [track.id for track in timeline.tracks], 0, 10**6).rows
    assert all(row.findings for row in both)
