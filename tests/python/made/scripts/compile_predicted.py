"""Compiles the training step of `predicted/step.py` for a TPU that is not there; prints what the compiler says of it.

python compile_predicted.py SCRIPT [--unrolled]
"""

import json
import os
import sys
from pathlib import Path

os.environ["TPU_SKIP_MDS_QUERY"] = "1"

import jax
from jax.experimental import topologies
from jax.sharding import SingleDeviceSharding

FIRST_OF_THE_RUN = "weights, tokens = initial()"


def main(script: str) -> None:
    # What it defines, and nothing of what it runs.
    defined, _, _ = Path(script).read_text().partition(FIRST_OF_THE_RUN)
    names = {"__name__": "step"}
    exec(compile(defined, script, "exec"), names)
    device = topologies.get_topology_desc(platform="tpu", topology_name="v5e:2x2").devices[0]
    placed = SingleDeviceSharding(device)
    shapes = jax.tree.map(
        lambda each: jax.ShapeDtypeStruct(each.shape, each.dtype, sharding=placed), jax.eval_shape(names["initial"])
    )
    compiled = names["train_step"].lower(*shapes, is_unrolled="--unrolled" in sys.argv).compile()
    memory = compiled.memory_analysis()
    said = {
        "flops": compiled.cost_analysis()["flops"],
        "argument_bytes": memory.argument_size_in_bytes,
        "output_bytes": memory.output_size_in_bytes,
        "alias_bytes": memory.alias_size_in_bytes,
        "temporary_bytes": memory.temp_size_in_bytes,
        "peak_bytes": compiled.runtime_executable().get_compiled_memory_stats().peak_memory_in_bytes,
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1])
