#!/usr/bin/env python3
"""Measure what a task costs beyond its work: `python3 tools/tasks.py dask://HOST:PORT 10000`.

Empty tasks are submitted as fast as the executor takes them, each with a value of its own, and
their results are awaited; one goes ahead uncounted.
"""

import sys
import time

from irattn.lab.executors import executor_of, using


def main() -> None:
    words, count = sys.argv[1], int(sys.argv[2])
    with using(executor_of(words)) as executor:
        executor.submit("empty", abs, -1).result()
        start, own = time.perf_counter(), time.process_time()
        futures = [executor.submit("empty", abs, number) for number in range(count)]
        assert [future.result() for future in futures] == list(range(count))
        taken, own = time.perf_counter() - start, time.process_time() - own
    each, of_client = (seconds / count * 1e3 for seconds in (taken, own))
    print(
        f"{count} empty tasks: {each:.2f} ms each, of which this process computes {of_client:.2f}"
    )


if __name__ == "__main__":
    main()
