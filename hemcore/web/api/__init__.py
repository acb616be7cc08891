"""The HTTP API under /api/v1, for programs: datasets, questions, answers, reports. A token says whose; see docs/http-api.md."""
