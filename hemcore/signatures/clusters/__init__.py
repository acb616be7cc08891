"""k-medoids of signatures, of any number of rows, and how good a clustering is."""
