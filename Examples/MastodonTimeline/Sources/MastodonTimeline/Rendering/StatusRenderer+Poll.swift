extension StatusRenderer {
    /// Returns a line with a bar for each answer, and one about the votes.
    func lines(for poll: Poll) -> [String] {
        let barWidth = max(4, min(20, terminal.width / 4))
        let options = poll.options.enumerated().flatMap { position, option in
            let share = poll.share(of: option)
            let percentage = share.map { "\(Int(($0 * 100).rounded()))%" } ?? "?"
            let bar = StatusRenderer.bar(share ?? 0, width: barWidth) + " " + percentage.padded(to: 6)
            return lines(poll.ownVotes?.contains(position) == true ? option.title + " ✓" : option.title, after: bar)
        }
        let votes = poll.votersCount?.counted("person", "people") ?? poll.votesCount.counted("vote", "votes")
        let facts = [
            poll.votersCount == nil ? votes : votes + " voted",
            poll.allowsMultipleChoices ? "several answers possible" : nil,
            poll.isExpired ? "closed" : poll.expiresAt.map { "open until " + StatusRenderer.time($0) },
        ]
        return options + indented(facts.compactMap { $0 }.joined(separator: " · "), .faint)
    }

    /// Returns the lines of a text that stands to the right of something.
    private func lines(_ text: String, after prefix: String) -> [String] {
        let prefix = String(repeating: " ", count: StatusRenderer.indentation) + prefix
        let lines = terminal.lines(text, indentation: prefix.columns)
        return [prefix + (lines.first?.dropFirst(prefix.columns) ?? "")] + lines.dropFirst()
    }

    private static func bar(_ share: Double, width: Int) -> String {
        let filled = Int((share * Double(width)).rounded())
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    }
}
