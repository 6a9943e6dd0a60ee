/// Waits until a condition holds that the end of other tasks brings about.
///
/// - Returns: Whether it has come to hold within many turns.
func eventually(isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async -> Bool {
    for _ in 0..<1_000_000 {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}
