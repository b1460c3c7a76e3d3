from analysis.hosts.pods import Pod, compared
def test_it(tmp_path):
    c = compared(tmp_path, slower_ps={2: 3*10**9}, clock_ps={1: 7*10**9})
    print(c.step_count, c.replayed_steps, len(c.instances), c.clocks.offset_ps, c.clocks.error_ps, c.instances.is_complete.all())
    print([ (d.id, d.core, d.name) for d in c.summary.devices])
    import numpy as np
    print([c.replay.cost_of(c.is_of_host(h)) for h in range(4)], c.summary.steps.duration_ps)
    assert 0
