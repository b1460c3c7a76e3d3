"""Questions that people have of a run, each with the query that answers it."""

from collections.abc import Sequence
from typing import Final

from scopelight.report.language import template, text
from scopelight.sql.described import QueryExample

_EXAMPLES: Final[Sequence[tuple[str, str]]] = (
    (
        template("Ops that take most"),
        """select primitive, name, path, line, self_ms, executions
from ops_ms
order by self_ms desc
limit 20""",
    ),
    (
        template("Slowest steps, and what they waited for"),
        """select step, duration_ms, busy_ms, stalled_ms, idle_ms
from steps_ms
order by duration_ms desc
limit 20""",
    ),
    (
        template("Op time of each step"),
        """select step, sum(self_ms) as self_ms
from executions_ms
where step is not null
group by step
order by step""",
    ),
    (
        template("Largest gaps, by what the host did"),
        """select mode(waiting_class) as waiting_class, sum(duration_ms) as gap_ms,
  arg_max(path, duration_ms) as path, arg_max(line, duration_ms) as line
from gaps_ms
where step is not null
group by device_id, gap_id
order by gap_ms desc
limit 20""",
    ),
    (
        template("Why devices were idle, by line"),
        """select waiting_class, path, line, sum(duration_ms) as waiting_ms
from gaps_ms
where step is not null
group by all
order by waiting_ms desc
limit 20""",
    ),
    (
        template("FLOPs of each line"),
        """select l.path, l.line, sum(o.flops * l.share_ratio) as flops, sum(l.self_ps) / 1e9 as self_ms
from op_lines l join ops o using (run, op_id)
group by all
order by flops desc nulls last
limit 20""",
    ),
    (
        template("Memory at the peak, by line"),
        """select b.path, b.line, sum(bytes) as peak_bytes, count(*) as buffers, any_value(program) as program,
  any_value(p.run_count) as run_count
from buffers b join programs p on p.run = b.run and p.key = b.program_key
where memory_space = 0
group by b.run, program_key, b.path, b.line
order by any_value(p.run_count) > 0 desc, peak_bytes desc
limit 20""",
    ),
    (
        template("Ops whose executions differ most"),
        """select name, path, line, count(*) as executions, median(e.self_ms) as median_ms,
  quantile_cont(e.self_ms, 0.99) as slowest_percent_ms
from executions_ms e join ops_ms o using (run, op_id)
group by all
having executions > 4
order by slowest_percent_ms - median_ms desc
limit 20""",
    ),
    (
        template("Time by kind of op and phase"),
        """select category, phase, sum(self_ms) as self_ms, sum(flops) as flops
from ops_ms
group by all
order by self_ms desc""",
    ),
    (
        template("Memory over time"),
        """select time_ms, heap_bytes + coalesce(stack_bytes, 0) as used_bytes
from memory_ms
where memory_id = (select memory_id from memory order by heap_bytes desc limit 1)
order by time_ms""",
    ),
    (
        template("Cores that the script used over time"),
        """select start_ms, sum(mean_value) as cores
from host_samples_ms
where quantity = 'process_core_ratio'
group by start_ms
order by start_ms""",
    ),
    (
        template("Programs that took longest to compile"),
        """select name, compile_ms, variant, variants, run_count, path, line
from programs_ms
order by compile_ms desc nulls last
limit 20""",
    ),
    (
        template("What could be better"),
        """select severity, sentence, max(saving_per_step_ms) as saving_per_step_ms,
  any_value(path) as path, any_value(line) as line
from findings_ms
where severity in ('advice', 'warning')
group by severity, sentence
order by saving_per_step_ms desc nulls last, severity""",
    ),
)


def query_examples() -> tuple[QueryExample, ...]:
    """The examples, in the language of who reads them."""
    return tuple(QueryExample(text(question), query) for question, query in _EXAMPLES)
