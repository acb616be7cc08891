"""Tables that are not written as rows of separated cells, as the text of a CSV."""
