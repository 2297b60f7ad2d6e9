"""What an operator demands of its arguments. A rule is one class: `complaint` looks at a call,
`sentence` tells people what is demanded. An Op lists its rules in checking order; the first that
complains decides."""

from openaclnn.spec.rules.attributes import (
    DimOf,
    DimsOf,
    Integral,
    LeadsTo,
    NotNegative,
    OneOf,
    RealScalars,
)
from openaclnn.spec.rules.dtypes import (
    AskedDtype,
    Castable,
    Dtypes,
    Promotable,
    ResultDtype,
    SameDtype,
)
from openaclnn.spec.rules.presence import Has, NotNull
from openaclnn.spec.rules.rule import EN, LANGUAGES, ZH, Rule, any_of
from openaclnn.spec.rules.shapes import (
    Broadcast,
    Broadcastable,
    Channels,
    Halved,
    Into,
    Joinable,
    MaxDims,
    ResultShape,
    SameShape,
    ShapeOf,
)
from openaclnn.spec.rules.views import OF_VIEWS

__all__ = [
    "EN", "LANGUAGES", "OF_VIEWS", "ZH", "AskedDtype", "Broadcast", "Broadcastable", "Castable",
    "Channels", "DimOf", "DimsOf", "Dtypes", "Halved", "Has", "Integral", "Into", "Joinable",
    "LeadsTo", "MaxDims", "NotNegative", "NotNull", "OneOf", "Promotable", "RealScalars",
    "ResultDtype", "ResultShape", "Rule", "SameDtype", "SameShape", "ShapeOf", "any_of",
]  # fmt: skip
