import FlatCache

/// The unreadable parts of a response, in words: `2 status edits and 1 element of unknown kind or incomplete`.
struct LeftOut: CustomStringConvertible {
    private var counts: [String?: Int] = [:]

    /// Counts the problems of a payload, or returns `nil` if there are none.
    ///
    /// Servers may send no more than the identifier of a nested status or account. That is no loss: the row says that it is
    /// missing, and it can be fetched.
    init?(_ problems: [PayloadProblem]) {
        for problem in problems {
            switch problem.reason {
            case .incomplete where problem.codingPath.last.map { $0.intValue == nil } ?? false: break
            case .unreadable(let error): add(error)
            default: counts[nil, default: 0] += 1
            }
        }
        if counts.isEmpty { return nil }
    }

    /// Counts a response of which nothing could be read.
    init(_ error: any Error) { add(error) }

    private mutating func add(_ error: any Error) { counts[(error as? UnexpectedDocument)?.noun, default: 0] += 1 }

    var description: String {
        let known = counts.compactMap { noun, count in noun.map { count.counted($0, $0.plural) } }.sorted()
        let unknown = counts[nil].map { ["\($0.counted("element", "elements")) of unknown kind or incomplete"] }
        return (known + (unknown ?? [])).joined(separator: " and ")
    }
}

extension String {
    fileprivate var plural: String { hasSuffix("s") ? self + "es" : self + "s" }
}
