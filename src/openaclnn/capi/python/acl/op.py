"""acl.op: the few functions that scripts call before they use operators."""


def set_model_dir(path: str) -> int:
    """Accepted and ignored: there are no offline models here."""
    return 0
