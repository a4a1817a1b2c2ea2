"""Certificates: the evidence for a count, as ``proofs_check/FORMAT.md`` specifies it, written as a stream."""

from exactgeo.certificate.certificate import Counts, check_certifiable, load_search, write_certificate

__all__ = ["Counts", "check_certifiable", "load_search", "write_certificate"]
