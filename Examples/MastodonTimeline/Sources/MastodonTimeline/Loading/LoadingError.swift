/// Why there is nothing to show from a source; each is one sentence.
enum LoadingError: Error, Hashable {
    case missing(String)
    case unreadable(String, reason: String)
    case otherSources(String, names: String)
    case unwritable(String, reason: String)
    case empty(String)
    case notJSON(String)
    case foreign(String, contents: String)
    case unreachable(String, reason: String)
    case noAnswer(String)
    case timedOut(String)
    case refused(String, status: Int, reason: String)
}

extension LoadingError: CustomStringConvertible {
    var description: String {
        switch self {
        case .missing(let name): "\(name) does not exist."
        case .unreadable(let name, let reason): "\(name) can't be read: \(reason)."
        case .otherSources(let name, let names): "\(name) has statuses of \(names); name another folder."
        case .unwritable(let name, let reason): "\(name) can't be written: \(reason)."
        case .empty(let name): "\(name) is empty."
        case .notJSON(let name): "\(name) is not valid JSON."
        case .foreign(let name, let contents):
            "\(name) holds \(contents), where statuses, accounts, polls, media attachments or tags are expected."
        case .unreachable(let name, let reason): "\(name) can't be reached: \(reason)."
        case .noAnswer(let name): "\(name) answered nothing."
        case .timedOut(let name): "\(name) did not answer in time."
        case .refused(let name, let status, let reason): "\(name) answered with error \(status): \(reason)."
        }
    }
}
