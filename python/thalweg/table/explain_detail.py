"""More to explain."""

from thalweg._flink_names import use_flink_names

__all__ = ["ExplainDetail"]


class ExplainDetail:
    """What `explain` may add to the plans."""

    ESTIMATED_COST = "ESTIMATED_COST"
    CHANGELOG_MODE = "CHANGELOG_MODE"
    JSON_EXECUTION_PLAN = "JSON_EXECUTION_PLAN"
    PLAN_ADVICE = "PLAN_ADVICE"


use_flink_names(globals())
