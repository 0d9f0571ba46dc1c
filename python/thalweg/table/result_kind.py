"""What kind of result a statement gave."""

from thalweg._flink_names import use_flink_names

__all__ = ["ResultKind"]


class ResultKind:
    """SUCCESS: only that it worked. SUCCESS_WITH_CONTENT: rows too."""

    SUCCESS = 0
    SUCCESS_WITH_CONTENT = 1


use_flink_names(globals())
