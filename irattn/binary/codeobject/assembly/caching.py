"""Write the cache policy of an access as assembly does."""

from irattn.binary.codeobject.assembly.fields import EncodedFields

# The bits that assembly names, in its order: by what CDNA3's and RDNA3's tables call them.
_BITS = ("sc0", "glc", "slc", "dlc", "nt", "sc1")
_NAMES_ON_CDNA2 = {"sc0": "glc", "nt": "slc", "sc1": "scc"}
_SCOPES = ("", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS")
_HINTS = ("", "NT", "HT", "", "NT_RT", "RT_NT", "NT_HT", "NT_WB")
_RETURN, _NON_TEMPORAL, _CASCADE, _BY_SCOPE, _RESERVED = 1, 2, 4, 3, 7
_DEVICE, _SYSTEM = 2, 3


def cache_policy(fields: EncodedFields) -> str:
    """The modifiers for the caches, each after a space."""
    if "scope" in fields:
        scope = _SCOPES[fields["scope"]]
        return _hint(fields) + (f" scope:{scope}" if scope else "")
    names = _NAMES_ON_CDNA2 if fields.isa == "cdna2" else {}
    return "".join(f" {names.get(bit, bit)}" for bit in _BITS if fields[bit])


def returns(fields: EncodedFields) -> bool:
    """Whether an atomic access gives back what was there."""
    return bool(fields["th"] & _RETURN if "th" in fields else fields["glc"] or fields["sc0"])


def _hint(fields: EncodedFields) -> str:
    hint = fields["th"]
    if not hint:
        return ""
    if "_atomic_" in fields.name:
        return f" th:{_atomic_hint(hint, fields['scope'])}"
    is_store = "store" in fields.name
    if hint == _RESERVED and not is_store:
        return f" th:{hint:#x}"
    word = _HINTS[hint]
    if hint == _BY_SCOPE:
        by_kind = "RT_WB" if is_store else "LU"
        word = "BYPASS" if fields["scope"] == _SYSTEM else by_kind
    return f" th:TH_{'STORE' if is_store else 'LOAD'}_{word}"


def _atomic_hint(hint: int, scope: int) -> str:
    if hint & _CASCADE:
        if scope < _DEVICE:
            return f"TH_ATOMIC_{hint:#x}"
        return f"TH_ATOMIC_CASCADE_{'NT' if hint & _NON_TEMPORAL else 'RT'}"
    if hint & _NON_TEMPORAL:
        return "TH_ATOMIC_NT_RETURN" if hint & _RETURN else "TH_ATOMIC_NT"
    return "TH_ATOMIC_RETURN"
