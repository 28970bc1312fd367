#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: the commands of a document run, and print what it says. $1: the document.
exec python3 "$DL_SOURCE/tests/docs/commands.py" "$1"
