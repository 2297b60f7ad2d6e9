"""acl.op: nothing but what scripts call on their way to the operators."""


def set_model_dir(path: str) -> int:
    """Accepted and ignored: there are no offline models here."""
    return 0
