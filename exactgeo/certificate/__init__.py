"""Certificates: the evidence for a count, as ``proofs_check/FORMAT.md`` specifies it, written as a stream."""

from exactgeo.certificate.certificate import Counts, write_certificate
from exactgeo.certificate.limits import check_certifiable

__all__ = ["Counts", "check_certifiable", "write_certificate"]
