"""The sets of metrics that come with the project, files of others, and which one a question means."""
