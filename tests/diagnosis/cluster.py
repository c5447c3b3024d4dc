# SPDX-License-Identifier: Apache-2.0
"""A cluster that tests/testbed has brought up: its shell functions, and what schedlens says of it."""

import json
import pathlib
import shlex
import subprocess
import tempfile
import time


class Cluster:
    def __init__(self, schedlens, folder, libraries, options=()):
        self.schedlens = str(pathlib.Path(schedlens).resolve())
        self.folder = pathlib.Path(folder).resolve()
        self.options = list(options)  # of schedlens, to find the cluster
        self.kept = pathlib.Path(tempfile.mkdtemp(prefix="schedlens-random-"))
        files = [self.folder / "env", *libraries]
        self.prelude = "set -u; " + "".join(f". {shlex.quote(str(file))}; " for file in files)

    def shell(self, script, seconds=120):
        """Runs a script with the testbed's functions; its output, status and complaints."""
        done = subprocess.run(["bash", "-c", self.prelude + "\n" + script], capture_output=True,
                              text=True, timeout=seconds, stdin=subprocess.DEVNULL)
        return done.stdout, done.returncode, done.stderr

    def must(self, script, seconds=120):
        out, status, complaints = self.shell(script, seconds)
        if status:
            raise RuntimeError(f"{script}: {complaints.strip() or status}")
        return out

    def snapshot(self, name, detailed=()):
        """Saves the cluster as it is now, with all that can be had of some jobs; the file."""
        file = self.kept / name
        options = [word for job in detailed for word in ("--detail", job)] + self.options
        subprocess.run([self.schedlens, "snapshot", "save", str(file), *options], check=True,
                       capture_output=True, env=self.environment(), timeout=120)
        return file

    def environment(self):
        if not hasattr(self, "_environment"):
            lines = self.must("env -0").split("\0")
            self._environment = dict(line.split("=", 1) for line in lines if "=" in line)
        return self._environment

    def why(self, workload, snapshot):
        """The answer for a workload, as JSON; nothing where the snapshot does not have it."""
        done = subprocess.run([self.schedlens, "why", workload, "--from", str(snapshot), "--json"],
                              capture_output=True, text=True, timeout=120)
        if done.returncode == 3:
            return None
        if done.returncode:
            raise RuntimeError(f"why {workload} --from {snapshot}: {done.stderr.strip()}")
        return json.loads(done.stdout)


def until(seconds, holds, pause=0.15):
    """Waits until it holds; whether it did in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def quiet(seconds, state, pause=0.3, most=90):
    """Waits until the state has not changed for so many seconds; the state."""
    begun = since = time.monotonic()
    last = state()
    while time.monotonic() - since < seconds and time.monotonic() - begun < most:
        time.sleep(pause)
        now = state()
        if now != last:
            last, since = now, time.monotonic()
    return last
