#!/bin/sh
# An assembler that refuses everything.
echo "error: no such instruction" >&2
exit 5
