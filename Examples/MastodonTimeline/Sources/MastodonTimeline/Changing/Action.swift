/// What a command line asks to change on a server.
enum Action: Hashable, Sendable {
    case post(String)
    case favourite(Status.ID)
    case boost(Status.ID)
}

extension Action {
    /// The text or the identifier.
    var argument: String {
        switch self {
        case .post(let argument), .favourite(let argument), .boost(let argument): argument
        }
    }

    var option: String {
        switch self {
        case .post: "--post"
        case .favourite: "--favourite"
        case .boost: "--boost"
        }
    }
}
