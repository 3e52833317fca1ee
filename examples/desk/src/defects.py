"""Tells whether a defect is switched on (`DEFECT=<name>`); what each of them does is said in defects.ts."""

import os


def has(name):
    return os.environ.get("DEFECT") == name
