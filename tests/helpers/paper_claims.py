"""The committed claims, read once: those of the papers, and with our own."""

from stages.reporting.claims.claims import all_claims, own_claims

OF_PAPERS = {claim.id: claim for claim in all_claims()}
CLAIMS = OF_PAPERS | {claim.id: claim for claim in own_claims()}
