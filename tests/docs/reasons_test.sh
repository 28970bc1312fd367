# SPDX-License-Identifier: MIT
# Claim: every reason that --stats, --explain-policy and the doctor give stands in docs/troubleshooting.md with what to do.
exec python3 "$DL_SOURCE/tests/docs/reasons.py" "$DL_SOURCE"
