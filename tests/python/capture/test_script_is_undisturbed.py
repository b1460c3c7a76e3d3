"""The script sees what it would see without Scopelight."""

import json
import os
import subprocess

LOOK = """
    import json, multiprocessing, os, pickle, subprocess, sys

    def double(value):
        return value * 2

    class Box:
        pass

    def child_says():
        code = "import json, os, sys; print(json.dumps([sys.path[1:], sorted(sys.modules), " \\
               "{k: v for k, v in os.environ.items() if k != '_'}]))"
        return json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)

    def look():
        spec = __spec__ if __name__ == "__main__" else sys.modules["__main__"].__spec__
        seen = {
            "argv": sys.argv, "orig_argv": sys.orig_argv, "path": sys.path, "file": sys.modules["__main__"].__file__,
            "spec": spec and [spec.name, spec.origin], "package": sys.modules["__main__"].__package__,
            "flags": str(sys.flags), "environment": dict(os.environ),
            "importer_cache": sorted(p for p in sys.path_importer_cache if "shim" in p),
            "pickled": pickle.loads(pickle.dumps(double))(21), "class": Box.__module__,
            "child": child_says(), "isatty": [os.isatty(0), os.isatty(1)],
            "fork": fork(),
        }
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            seen["spawned"] = pool.map(double, [1, 2])
        # Before jax starts its threads: after that a fork may hang, with or without capture.
        with multiprocessing.get_context("fork").Pool(1) as pool:
            seen["forked"] = pool.map(double, [3])
        return seen

    def fork():
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            import threading
            os.write(write, f"{threading.active_count()} {sorted(os.listdir('/proc/self/fd'))[:3]}".encode())
            os._exit(0)
        os.close(write)
        os.waitpid(child, 0)
        return os.read(read, 100).decode()

    def use_jax():
        import jax
        import jax.numpy as jnp
        print(float(jax.jit(lambda x: (x @ x).sum())(jnp.ones((64, 64)))))
        loader = jax.__spec__.loader
        finders = [type(finder).__name__ for finder in sys.meta_path]
        return [str(jnp.zeros(1).dtype), type(loader).__name__, sorted(vars(loader)), finders]

    def main():
        seen = look()
        os.environ["JAX_ENABLE_X64"] = "1"
        seen["jax"] = use_jax()
        seen["later_child"] = child_says()
        print(json.dumps(seen, sort_keys=True))
"""


def normal(text):
    return json.loads(text.splitlines()[-1])


def test_a_script_sees_no_difference(bench):
    bench.write("look.py", LOOK + '\n    if __name__ == "__main__":\n        main()\n')
    plain = bench.plain("look.py", "--lr", "0.1", "-m", "--", "a b")
    captured = bench.capture("look.py", "--lr", "0.1", "-m", "--", "a b")
    assert plain.returncode == captured.returncode == 0, captured.stderr
    assert normal(captured.stdout) == normal(plain.stdout)
    assert normal(captured.stdout)["jax"][0] == "float64"
    assert captured.run["state"] == "captured"


def test_a_package_run_as_a_module_sees_no_difference(bench):
    bench.write("package/__init__.py", "")
    bench.write("package/train.py", LOOK + '\n    if __name__ == "__main__":\n        main()\n')
    plain = bench.plain("-m", "package.train", "--epochs", "3")
    captured = bench.capture("package.train", "--epochs", "3", is_module=True)
    assert plain.returncode == captured.returncode == 0, captured.stderr
    assert normal(captured.stdout) == normal(plain.stdout)


def test_the_users_python_path_and_sitecustomize_stay(bench):
    bench.write("mine/sitecustomize.py", "import builtins; builtins.MARK = 'mine'\n")
    bench.write(
        "script.py", "import os, sys; print(MARK, os.environ['PYTHONPATH'], sys.path, 'sitecustomize' in sys.modules)\n"
    )
    environment = {**bench.environment, "PYTHONPATH": f"mine{os.pathsep}other"}
    plain = bench.plain("script.py", environment=environment)
    captured = bench.capture("script.py", environment=environment)
    assert plain.stdout.startswith("mine mine")
    assert captured.stdout == plain.stdout


def test_a_failing_sitecustomize_is_reported_as_ever(bench):
    bench.write("mine/sitecustomize.py", "raise ValueError('broken')\n")
    bench.write("script.py", "print('ran')\n")
    environment = {**bench.environment, "PYTHONPATH": "mine"}
    captured = bench.capture("script.py", environment=environment)
    assert captured.stdout == bench.plain("script.py", environment=environment).stdout == "ran\n"
    assert "ValueError: broken" in captured.stderr


def test_output_and_input_are_the_scripts_own(bench):
    bench.write(
        "echo.py",
        """
        import sys
        import jax, jax.numpy as jnp
        sys.stdout.write(sys.stdin.read().upper())
        (jnp.ones((50, 50)) @ jnp.ones((50, 50))).block_until_ready()
        sys.stderr.write("own words\\n")
        """,
    )
    finished = subprocess.run(
        bench.command("echo.py"),
        cwd=bench.folder,
        env=bench.environment,
        input="hello",
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0
    assert finished.stdout == "HELLO"
    assert finished.stderr.splitlines() == ["own words", "window: whole"]


def test_an_import_of_jax_that_fails_first_may_be_tried_again(bench):
    bench.write("fake/jax/__init__.py", "raise ImportError('not this one')\n")
    bench.write(
        "script.py",
        """
        import sys
        sys.path.insert(0, "fake")
        try:
            import jax
        except ImportError as error:
            print(error)
        del sys.path[0]
        sys.path_importer_cache.clear()
        import jax, jax.numpy as jnp
        print(float(jnp.ones(3).sum()), [type(f).__name__ for f in sys.meta_path if "Watcher" in type(f).__name__])
        """,
    )
    captured = bench.capture("script.py")
    assert captured.stdout == "not this one\n3.0 []\n"
    assert captured.run["state"] == "captured"


def test_the_script_goes_on_when_scopelight_is_killed(bench):
    bench.write(
        "script.py",
        """
        import os, signal
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        import jax, jax.numpy as jnp
        step = jax.jit(lambda x: jnp.tanh(x @ x))
        x = step(jnp.ones((100, 100)))
        scopelight = os.getppid()
        os.kill(scopelight, signal.SIGKILL)
        while os.getppid() == scopelight:
            x = step(x)
        for number in range(2000):
            x = step(x)
        jax.jit(lambda x: x + 1)(x).block_until_ready()
        open("finished", "w").write("yes")
        """,
    )
    process = bench.start("script.py")
    process.communicate(timeout=120)
    assert (bench.folder / "finished").read_text() == "yes"


WAITS_FOR_ITS_THREADS = """
    import threading
    import time

    import jax
    import jax.numpy as jnp

    step = jax.jit(lambda x: jnp.tanh(x @ x))
    x = jnp.ones((64, 64))
    listed = set()
    thread = threading.Thread(target=time.sleep, args=(0.1,))
    thread.start()
    for _ in range(60):
        x = step(x).block_until_ready()
        time.sleep(0.002)
        listed |= {each.name for each in threading.enumerate()}
    for each in threading.enumerate():
        if each is not threading.current_thread():
            each.join()
    while threading.active_count() > 1:
        time.sleep(0.01)
    print(sorted(listed - {thread.name}))
"""


def test_a_script_may_wait_until_no_other_thread_is_left(bench):
    bench.write("waits.py", WAITS_FOR_ITS_THREADS)
    captured = bench.capture("waits.py")
    assert (captured.returncode, captured.stdout.splitlines()) == (0, ["['MainThread']"]), captured.stderr
