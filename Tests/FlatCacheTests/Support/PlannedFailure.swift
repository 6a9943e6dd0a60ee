/// What bodies throw that are to fail.
struct PlannedFailure: Error {}
