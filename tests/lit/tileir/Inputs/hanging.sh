#!/bin/sh
# An assembler that does not end.
exec sleep 60
