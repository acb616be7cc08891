"""What every page has besides its own: steps of the browser's Back, keys, the list of jobs."""
