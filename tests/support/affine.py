"""Affine forms of a rendered graph, as numbers."""


def form_of(text: str, value: str) -> str:
    """What a value is computed by, where it comes first."""
    after = text.partition(f" %{value} = affine.apply")[2]
    return after[after.index("-> (") + 4 : after.index(")>(")]


def number_of(form: str, **letters: int) -> int:
    """What a form gives for these numbers."""
    return int(eval(form.replace("floordiv", "//").replace("mod", "%"), letters))
