"""What a page's answer can be used for: pinned as the baseline, downloaded, kept as a dataset, added to a report."""
