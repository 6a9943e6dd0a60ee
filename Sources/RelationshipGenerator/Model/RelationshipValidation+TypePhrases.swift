/// Text that was written in the place of a type's name and contains more than the name.
extension RelationshipValidation {
    /// The diagnostic of an annotation that can't be read.
    ///
    /// It names the text to remove if the name of a type is among other words.
    func diagnostic(of error: AnnotationError, in annotation: Annotation, _ file: Int) -> Diagnostic {
        switch error {
        case .invalidTarget(_, let phrase), .unexpectedWord(_, _, let phrase):
            removal(from: phrase, in: target.files[file])
                ?? .unreadable(error, annotation.keyword, at: annotation.location)
        default:
            .unreadable(error, annotation.keyword, at: annotation.location)
        }
    }

    @_optimize(none)
    private func removal(from phrase: TypePhrase, in file: ScannedFile) -> Diagnostic? {
        let text = phrase.text
        guard let name = nameRange(in: text, file) else { return nil }
        let end = text[name.upperBound...].firstIndex(of: " ") ?? text.endIndex
        let before = text[..<name.lowerBound].reversed().drop { $0 == " " }.reversed()
        let behind = text[name.upperBound..<end]
        let written = text[..<end]
        if behind.first == "<" {
            return .genericArguments(of: String(written), at: phrase.location)
        }
        let others = [String(before), String(behind)].filter { !$0.isEmpty }
        guard !others.isEmpty else { return nil }
        return .notOnlyType(String(written), remove: others, at: phrase.location)
    }

    /// The first name of a type in a text, or the only word that is written like one.
    @_optimize(none)
    private func nameRange(in text: String, _ file: ScannedFile) -> Range<String.Index>? {
        var names: [Range<String.Index>] = []
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0.isLetter || $0 == "_" }) {
            var end = start
            while end < text.endIndex,
                text[end].isLetter || text[end].isNumber || text[end] == "_" || isInPath(end, of: text)
            {
                end = text.index(after: end)
            }
            names.append(start..<Self.withoutMember(text[start..<end]).endIndex)
            rest = text[end...]
        }
        if let known = names.first(where: { target.isType(String(text[$0]), in: file) }) { return known }
        let capitalized = names.filter { text[$0.lowerBound].isUppercase }
        return capitalized.count == 1 ? capitalized.first : nil
    }

    private func isInPath(_ index: String.Index, of text: String) -> Bool {
        guard text[index] == "." else { return false }
        let next = text.index(after: index)
        return next < text.endIndex && (text[next].isLetter || text[next] == "_")
    }

    /// Suffixes that are often written after the name of an entity, and make it the name of another type.
    private static let members = [".self", ".Type", ".Protocol", ".ID", ".id"]

    private static func withoutMember(_ name: Substring) -> Substring {
        members.first(where: name.hasSuffix).map { name.dropLast($0.count) } ?? name
    }

    /// Checks that a name doesn't belong to a nested type of an entity, such as `Author.ID`.
    func checkIsNoMember(_ name: String, of subject: Subject) throws(Diagnostic) {
        let entity = String(Self.withoutMember(name[...]))
        guard entity != name, entity == "Self" || target.resolve(entity, in: subject.owner.qualifiedName) != nil else {
            return
        }
        throw .memberOfEntity(
            name,
            remove: String(name.dropFirst(entity.count)),
            at: subject.payload.targetLocation
        )
    }
}
