import FlatCache
import Foundation

/// Turns statuses into lines for a terminal.
///
/// It reads what a status refers to through the generated accessors, and so from `FlatCache.current`. Who observes the lines
/// as `cache.observe { renderer.lines(showing: id) } onChange: { … }` hears of a change of anything that was read.
struct StatusRenderer: Sendable {
    let terminal: Terminal

    static let indentation = 2
    private static let shortestExcerpt = 20

    /// Returns the lines that show a status; without the status those that say what becomes of it, or none.
    func lines(showing id: Status.ID) -> [String] {
        let handle = Cached<Status>(id: id)
        if let status = handle.value { return lines(for: status) }
        return handle.absence.map { terminal.lines("\($0)", .faint) } ?? []
    }

    /// Returns the lines that show a status, or the one that it boosts.
    func lines(for status: Status) -> [String] {
        guard status.reblogID != nil else { return ownLines(of: status) }
        guard let reblog = status.reblog else {
            let post = StatusRenderer.absentPost(status.cached(\.reblog))
            return terminal.lines("↻ \(authorName(of: status)) boosted \(post)", .accent)
        }
        return terminal.lines("↻ \(authorName(of: status)) boosted", .accent) + ownLines(of: reblog)
    }

    /// Returns the beginning of a status's text in quotation marks.
    ///
    /// - Parameter columns: How many columns it may take, with the marks; `nil` for nearly a line.
    func excerpt(of status: Status, columns: Int? = nil) -> String {
        let text = PlainText(html: status.content).text.singleLine
        return "“\(text.truncated(to: (columns ?? terminal.width - 8) - 2))”"
    }

    func indented(_ text: String, _ style: Terminal.Style = .plain) -> [String] {
        terminal.lines(text, style, indentation: StatusRenderer.indentation)
    }

    private func ownLines(of status: Status) -> [String] {
        var lines = terminal.lines(authorName(of: status), .bold) + terminal.lines(byline(of: status), .faint)
        if let line = replyLine(of: status) { lines += terminal.lines(line, .accent) }
        let sections = [
            textLines(of: status),
            quoteLines(of: status),
            status.poll.map(self.lines(for:)) ?? [],
            mediaLines(of: status),
            countLines(of: status),
        ]
        for section in sections where !section.isEmpty { lines += [""] + section }
        return lines
    }

    // MARK: Who and when

    private func authorName(of status: Status) -> String {
        guard let account = status.account else {
            return "Unknown author" + (status.cached(\.account).absence.map { " (\($0))" } ?? "")
        }
        // People choose names with line ends, or with nothing that can be seen.
        let name = account.name.singleLine
        return name.columns > 0 ? name : "Unknown author"
    }

    private func byline(of status: Status) -> String {
        let visibility: String? =
            switch status.visibility {
            case .public, .unknown: nil
            case .unlisted: "unlisted"
            case .private: "followers only"
            case .direct: "direct message"
            }
        let facts = [
            status.account.map { "@" + $0.handle },
            StatusRenderer.time(status.createdAt),
            visibility,
            status.editedAt == nil ? nil : "edited",
        ]
        return facts.compactMap { $0 }.joined(separator: " · ")
    }

    /// Returns whom a status replies to, and the beginning of what that said, as far as they are known.
    private func replyLine(of status: Status) -> String? {
        guard status.repliedToStatusID != nil || status.repliedToAccountID != nil else { return nil }
        let original = status.repliedToStatus
        // The author of the other post may be known only by a mention in this one.
        let handle = (original?.account ?? status.repliedToAccount)?.handle
        let name = handle.map { "@" + $0 } ?? StatusRenderer.absentPost(status.cached(\.repliedToStatus))
        let line = "↳ in reply to \(name)"
        let room = terminal.width - line.columns - 2
        guard let original, !original.content.isEmpty, room >= StatusRenderer.shortestExcerpt else { return line }
        return "\(line): \(excerpt(of: original, columns: room))"
    }

    /// Returns words for a status that isn't here.
    private static func absentPost(_ handle: Cached<Status>?) -> String {
        switch handle?.absence {
        case nil: "a post that is not here"
        case .loading: "a post that is loading …"
        case .some(let failure): "a post that \(failure)"
        }
    }

    /// Returns a time in UTC and in English, so that the output is the same everywhere.
    static func time(_ date: Date) -> String {
        date.formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(day: .defaultDigits) \(month: .abbreviated) \(year: .defaultDigits), \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
                    """,
                locale: Locale(identifier: "en_US_POSIX"),
                timeZone: .gmt,
                calendar: Calendar(identifier: .gregorian)
            )
        )
    }

    // MARK: What it says

    private func textLines(of status: Status) -> [String] {
        let warning = status.contentWarning.isEmpty ? "" : "Content warning: " + status.contentWarning
        let text = PlainText(html: status.content).text
        return (warning.isEmpty ? [] : indented(warning, .warning)) + (text.isEmpty ? [] : indented(text))
    }

    /// Returns whom a status quotes, and the beginning of what that said; or why this isn't to be seen.
    private func quoteLines(of status: Status) -> [String] {
        guard let quote = status.quote else { return [] }
        if let state = quote.state, state != "accepted" {
            return indented("❝ quotes a post that is not shown: \(state.replacing("_", with: " "))", .accent)
        }
        guard let quoted = quote.quotedStatus else {
            return indented("❝ quotes \(StatusRenderer.absentPost(quote.cached(\.quotedStatus)))", .accent)
        }
        let text = indented(excerpt(of: quoted))
        return indented("❝ quotes \(authorName(of: quoted))", .accent) + (quoted.content.isEmpty ? [] : text)
    }

    private func mediaLines(of status: Status) -> [String] {
        status.mediaAttachments.flatMap { attachment in
            let kind = attachment.kind == .unknown ? "attachment" : "\(attachment.kind)"
            let sensitivity = status.isSensitive ? ", sensitive" : ""
            let description = attachment.description ?? ""
            return indented("[\(kind)\(sensitivity)] \(description.isEmpty ? "not described" : description)", .faint)
        }
    }

    private func countLines(of status: Status) -> [String] {
        let counts = counts(of: status)
        let line = indented(counts, status.isFavourited == true ? .favourite : .faint)
        let mutations = Cached<Status>(id: status.id).mutations
        guard !mutations.isPending, let error = mutations.lastError else { return counts.isEmpty ? [] : line }
        return (counts.isEmpty ? [] : line) + indented("not sent: \(error)", .warning)
    }

    /// Returns how often a status was replied to, boosted and favourited, and whether a change of it is being sent.
    func counts(of status: Status) -> String {
        func marked(_ count: String, _ mark: String, _ isMarked: Bool?) -> String {
            isMarked == true ? "\(mark) \(count)" : count
        }
        var counts: [String] = []
        if let count = status.repliesCount, count > 0 { counts.append(count.counted("reply", "replies")) }
        if status.reblogsCount > 0 || status.isBoosted == true {
            counts.append(marked(status.reblogsCount.counted("boost", "boosts"), "↻", status.isBoosted))
        }
        if status.favouritesCount > 0 || status.isFavourited == true {
            counts.append(marked(status.favouritesCount.counted("favourite", "favourites"), "★", status.isFavourited))
        }
        if Cached<Status>(id: status.id).mutations.isPending { counts.append("sending …") }
        return counts.joined(separator: " · ")
    }
}
