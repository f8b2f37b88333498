"""Times of compiled graphs beside those of other libraries, and beside what the machine can do.

For each spec both sides run in processes of their own, with equally many threads, none of which
spins (OMP_WAIT_POLICY=PASSIVE, set before the peer is loaded). Their outputs are compared first.
Then they take turns, A B A B, and medians count.
"""

from irattn.lab.benchmark.plan import DEVICES, PEERS, TITLES
from irattn.lab.benchmark.results import Measured, Report, Row
from irattn.lab.benchmark.running import bench_specs
from irattn.lab.benchmark.timing import Spread

__all__ = [
    "DEVICES",
    "PEERS",
    "TITLES",
    "Measured",
    "Report",
    "Row",
    "Spread",
    "bench_specs",
]
