/// What a screen did about one notification.
struct ScreenUpdate: Equatable, Sendable {
    /// The statuses that were on the screen and were rendered again.
    var rendered: [Status.ID] = []
    /// The statuses that came to the screen.
    var joined: [Status.ID] = []
    /// The statuses that left the screen.
    var left: [Status.ID] = []
}

extension [ScreenUpdate] {
    /// What a screen did, as the rest of a sentence that begins with its name.
    ///
    /// - Parameter remaining: How many statuses are on the screen now.
    func report(remaining: Int) -> String {
        let rendered = reduce(0) { $0 + $1.rendered.count }
        let joined = reduce(0) { $0 + $1.joined.count }
        let left = reduce(0) { $0 + $1.left.count }
        var deeds = ["was told \(count == 1 ? "once" : count.counted("time", "times"))"]
        if rendered > 0 { deeds.append("rendered \(rendered) of \(remaining.counted("post", "posts")) again") }
        if joined > 0 { deeds.append("added \(joined.counted("post", "posts"))") }
        if left > 0 { deeds.append("dropped \(left.counted("post", "posts")) and keeps \(remaining)") }
        return deeds.joined(separator: ", ") + "."
    }
}
