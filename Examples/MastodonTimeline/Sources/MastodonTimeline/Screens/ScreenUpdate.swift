/// What a screen did in some time.
struct ScreenUpdate: Equatable, Sendable {
    /// The statuses that were rendered, each as often as it was.
    var rendered: [Status.ID] = []
    /// The statuses that came to the screen.
    var joined: [Status.ID] = []
    /// The statuses that look different from before, each as often as it did.
    var changed: [Status.ID] = []
    /// The statuses that left the screen.
    var left: [Status.ID] = []
}

extension ScreenUpdate {
    /// The statuses that were rendered although they had been on the screen, or more than once.
    var renderedAgain: Set<Status.ID> {
        var first = Set(joined)
        return Set(rendered.filter { first.remove($0) == nil })
    }

    /// What a screen did, as the rest of a sentence that begins with its name; `nil` for nothing.
    ///
    /// - Parameter remaining: How many statuses are on the screen now.
    func report(remaining: Int) -> String? {
        var deeds: [String] = []
        let again = renderedAgain.subtracting(left)
        if !joined.isEmpty {
            let times = again.isEmpty ? ", rendered each of them once and no other" : ""
            deeds.append("added \(joined.count.counted("post", "posts"))\(times)")
        }
        if !again.isEmpty {
            let changed = Set(changed).count
            let unchanged = again.count - changed
            let looks = unchanged == 0 ? "" : ", of which \(unchanged.counted("looks", "look")) as before"
            deeds.append("rendered \(again.count) of \(remaining.counted("post", "posts")) again\(looks)")
        }
        if !left.isEmpty { deeds.append("dropped \(left.count.counted("post", "posts")) and keeps \(remaining)") }
        return deeds.isEmpty ? nil : deeds.joined(separator: ", ") + "."
    }
}
