import FlatCacheCommands

/// The arguments of `flatcache inspect`.
struct InspectArguments {
    let folder: String
    /// The stored name of a type, and an identifier.
    let entity: (type: String, id: String)?
    let isJSON: Bool

    init(_ arguments: [String]) throws(CommandError) {
        var folder: String?
        var entity: (type: String, id: String)?
        var isJSON = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--entity":
                guard entity == nil else { throw .usage("'--entity' is given twice") }
                guard let type = rest.popFirst(), let id = rest.popFirst() else {
                    throw .usage("the values of '--entity TYPE ID' are missing")
                }
                entity = (type, id)
            case _ where argument.hasPrefix("-"):
                let suggestion = Suggestion.behind(argument, from: ["--json", "--entity"], otherwise: "")
                throw .usage("'\(argument)' is not an option\(suggestion)")
            default:
                if let folder { throw .usage("'\(folder)' and '\(argument)' are two folders; write one") }
                folder = argument
            }
        }
        guard let folder, !folder.isEmpty else { throw .usage("'FOLDER' is missing") }
        self.folder = folder
        self.entity = entity
        self.isJSON = isJSON
    }
}
