"""Notices to the user: one line on stderr, or the program's own logging where it set that up."""

import sys

_said: set[str] = set()


def notice(text: str, once: bool = True) -> None:
    """Says `text` at INFO, at most once in a process unless `once` is False."""
    if once and text in _said:
        return
    _said.add(text)
    logging = sys.modules.get("logging")
    if logging is not None and logging.getLogger().handlers:
        logging.getLogger("thalweg").info(text)
    else:
        print(f"INFO  {text}", file=sys.stderr)


def unsupported(what: str) -> NotImplementedError:
    """The error for an API that this release does not have yet."""
    return NotImplementedError(f"{what} is not supported by this version of Thalweg yet")
