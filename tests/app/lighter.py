"""Importing it makes small what takes long by its size alone: how many trees tell merged runs from read ones, which no test of a page asks.

The workers of these tests import it first, because conftest.py names it in dask's own setting for that; the program itself knows nothing
of it. tests/core/merge has the trees as they are.
"""

from hemcore import likeness

likeness._TREES = 5
