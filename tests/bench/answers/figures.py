"""How soon large runs and jobs are answered for, and how soon they must be."""

from answers import agents, hosts, overview, queries
from bench import MEGABYTE, Bench
from profiles import READ_MEGABYTES, TIMELINE_MEGABYTES, captured_profile, events_of

QUERY_MEGABYTES = 300
"""What a query over ten million events takes beside the columns of the open run."""
HOSTS_SECONDS = 6
"""Of the processor, to compare the hosts of 16,384 devices that meet 600 times."""
HOSTS_MEGABYTES = 500


def add_overview(bench: Bench) -> None:
    """The record of the panel Overview."""
    small, path = (captured_profile(bench.python, megabytes) for megabytes in (7, READ_MEGABYTES))
    figures = overview.measure(path, small, bench.python, bench.repetitions)
    bench.bars.add("overview: events, at least", "", "", events_of(bench.python, path), least=500_000)
    again = f"again {figures.again_seconds * 1e3:.0f} ms"
    bench.bars.add_milliseconds(f"overview: opened, warm ({again})", figures.first_seconds * 1e3, most=300)


def add_agents(bench: Bench) -> None:
    """The server for agents, on a large run."""
    path = captured_profile(bench.python, READ_MEGABYTES)
    figures = agents.measure(path, bench.python, bench.repetitions)
    bench.bars.add("agents: events, at least", "", "", events_of(bench.python, path), least=1_000_000)
    listed = f"tools listed {figures.tools_seconds * 1e3:.0f} ms"
    bench.bars.add_milliseconds(f"agents: start → answer ({listed})", figures.hello_seconds * 1e3, most=500)
    bench.bars.report("agents: first call, which opens the run", f"{figures.opening_seconds * 1e3:.0f} ms")
    for tool, seconds in figures.seconds.items():
        bench.bars.add_milliseconds(f"agents: {tool}", seconds * 1e3, most=1000)
    bench.bars.add("agents: characters of an answer, at most", "", "", figures.most_characters, most=4000)


def add_queries(bench: Bench) -> None:
    """Queries over ten million events."""
    path = captured_profile(bench.python, TIMELINE_MEGABYTES)
    figures = queries.measure(path, bench.python)
    bench.bars.add("queries: executions, at least", "", "", figures.executions, least=10_000_000)
    bench.bars.report("queries: the first, whose tables are made", f"{figures.first_seconds:.2f} s")
    for name, seconds in figures.seconds.items():
        # Quantiles sort.
        most_ms = 1000 if name.startswith("group by") else 2000
        bench.bars.add_milliseconds(f"queries: {name}", seconds * 1e3, most=most_ms)
    columns = f"columns of {figures.columns_bytes / MEGABYTE:.0f} MB"
    most = max(figures.memory_bytes.values()) / MEGABYTE
    bench.bars.add(f"queries: memory beside {columns}", f"{most:.0f} MB", "", most, most=QUERY_MEGABYTES)


def add_hosts(bench: Bench) -> None:
    """The hosts of a large job, compared."""
    figures = hosts.measure(bench.python)
    seconds, megabytes = figures.seconds, figures.peak_bytes / MEGABYTE
    bench.bars.add("hosts of 16,384 devices: s of CPU", f"{seconds:.1f}", "", seconds, most=HOSTS_SECONDS)
    bench.bars.add("hosts of 16,384 devices: MB at peak", f"{megabytes:.0f}", "", megabytes, most=HOSTS_MEGABYTES)
    bench.bars.add("hosts of 16,384 devices: the slow one is found", "", "", float(figures.is_right), least=1)
