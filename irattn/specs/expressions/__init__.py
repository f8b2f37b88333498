"""Functions of scores that users write in Python, as frozen expressions that specs can hold."""

from irattn.specs.expressions.derivative import derivative_of
from irattn.specs.expressions.dropout import kept_by_dropout
from irattn.specs.expressions.expression import Captured, Expression, ExpressionStep
from irattn.specs.expressions.functions import (
    HasFunctions,
    captured_by,
    captured_inputs,
    check_reads,
    reads_beyond,
    stored_function,
    stored_functions,
    traced,
    traced_together,
)
from irattn.specs.expressions.limits import limits_of
from irattn.specs.expressions.mask import Mask
from irattn.specs.expressions.ops import CONSTANTS, NAMES, OPS, Kind

__all__ = [
    "CONSTANTS",
    "NAMES",
    "OPS",
    "Captured",
    "Expression",
    "ExpressionStep",
    "HasFunctions",
    "Kind",
    "Mask",
    "captured_by",
    "captured_inputs",
    "check_reads",
    "derivative_of",
    "kept_by_dropout",
    "limits_of",
    "reads_beyond",
    "stored_function",
    "stored_functions",
    "traced",
    "traced_together",
]
