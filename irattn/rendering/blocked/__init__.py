"""How the blocked graphs, the CPUs' own, are cut up."""

from irattn.rendering.blocked.plan import Blocked

PLANS = {
    ("attention", "linalg/blocked"): Blocked,
    ("packed_attention", "linalg/blocked"): Blocked,
    ("paged_attention", "linalg/blocked"): Blocked,
    ("paged_update_attention", "linalg/blocked"): Blocked,
}
