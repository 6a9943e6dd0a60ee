/// A command line that can't be understood.
enum UsageError: Error, Hashable {
    case unknownOption(String)
    case invalidAddress(String)
    case unencryptedAddress(String)
    case severalServers
    case invalidPageCount(String?)
    case noTimeline(_ option: String, String)
    case missingValue(_ option: String, String)
    case missingToken(_ option: String)
}

extension UsageError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownOption(let option): "\(option) is not an option."
        case .invalidAddress(let address): "\(address) is not the address of a server."
        case .unencryptedAddress(let address):
            "\(address) is not encrypted; write https:// instead, http:// works for this machine only."
        case .severalServers:
            "Name either files or one server: an identifier is unique on one server, so responses of several don't mix."
        case .invalidPageCount(nil): "--pages needs a number."
        case .invalidPageCount(let argument?): "\(argument) is not a number of pages."
        case .noTimeline(let option, let name): "\(option) is for the timeline of a server; \(name) is none."
        case .missingValue(let option, let value): "\(option) needs \(value)."
        case .missingToken(let option): "\(option) needs an access token in the variable MASTODON_TOKEN."
        }
    }
}
