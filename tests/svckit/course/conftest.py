"""The project's solution has tests of its own, which `svckit course check` runs."""

collect_ignore = ["project_solution"]
