"""The rows of the speed table: one workload each, the same for all libraries, results checked."""
