"""Generates the ``_pb2`` modules, .py and .pyi, from the ``.proto`` files that they stand beside.

Code of protoc 25 runs on every protobuf runtime from 4.25 on; code of newer compilers refuses runtimes that
are older than itself or two major versions newer. So use, in an environment of its own (Python 3.11 or 3.12):

    pip install "grpcio-tools==1.62.3" "setuptools<80"
    python daemon/scopelight/formats/generate_protos.py
"""

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run the compiler of the ``grpcio-tools`` package beside this interpreter."""
    package_root = Path(__file__).resolve().parents[2]
    sources = sorted(package_root.glob("scopelight/**/*.proto"))
    command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={package_root}"]
    command += [f"--python_out={package_root}", f"--pyi_out={package_root}", *map(str, sources)]
    result = subprocess.run(command, check=False)
    if result.returncode == 0:
        for source in sources:
            stub = source.with_name(f"{source.stem}_pb2.pyi")
            # The compiler leaves out the type arguments of mappings.
            stub.write_text('# mypy: disable-error-code="type-arg"\n' + stub.read_text())
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
