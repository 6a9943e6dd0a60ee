extension Response {
    /// Reads a document, or an element of a list; what isn't for a timeline is left out and the rest stays.
    mutating func read(_ document: JSON) {
        if case .array(let elements) = document {
            for element in elements { read(element) }
        } else if document.hasMembers(Shape.status) {
            if let id = collectStatus(from: document) { list(id) }
        } else if document.hasMembers(Shape.account) {
            collectAccount(from: document)
        } else if document.hasMembers(Shape.poll) {
            collectPoll(from: document)
        } else if document.hasMembers(Shape.mediaAttachment) {
            collectMediaAttachment(from: document)
        } else if Shape.tags.contains(where: document.hasMembers) {
            collectTag(from: document)
        } else if let other = Shape.others.first(where: { document.hasMembers($0.members) }) {
            leaveOut(other.noun)
        } else if Shape.containers.contains(where: document.hasMembers) {
            readParts(of: document)
        } else {
            leaveOut()
        }
    }

    private mutating func readParts(of document: JSON) {
        let names = [
            "account", "target_account", "accounts", "ancestors", "descendants", "status", "last_status", "statuses",
            "report",
        ]
        for name in names where document[name] != .null { read(document[name]) }
        // Some servers give tags in search results no more than a name.
        for tag in elements(of: document["hashtags"]) { collectTag(from: tag) }
    }
}
