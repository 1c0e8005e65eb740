"""Measurements, run on demand and never by the test suite.

* `throughput`: hands a second of the compiled functions, with checksums, beside rival libraries that are
  installed, in the same run. `potshare bench` prints it; a new row is an entry in `throughput.WORKLOADS`.
* `startup`: whole processes, from an empty Python to a first answer, in time and memory:
  `python -m potshare.bench.startup`.
* `regress`: rates of everything as ratios to a fixed kernel, beside those recorded for this kind of machine:
  `python -m potshare.bench.regress`.
* `test_throughput.py`: the same functions under pytest-benchmark, by size and rival:
  `pytest bench --benchmark-enable`.

Absolute figures belong to one machine; ratios of one run are comparable. Importing this package imports neither
numba nor numpy.
"""
