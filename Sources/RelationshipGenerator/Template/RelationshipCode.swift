/// The pieces of Swift in which relationships of different shapes differ.
struct RelationshipCode {
    private let relationship: Relationship
    private let related: String

    /// - Parameter related: The related type as it is called where the code stands, if that is not in the owner.
    init(_ relationship: Relationship, related: String? = nil) {
        self.relationship = relationship
        self.related = related ?? relationship.target
    }

    private var shape: IdentifierShape { relationship.shape }
    private var optional: String { shape.isOptional ? "?" : "" }
    private var compacted: String { shape.hasOptionalElements ? ".compactMap { $0 }" : "" }

    /// The name of the identifier property, as it is written in code.
    var property: String { SwiftWords.declared(relationship.property.name) }

    /// The property with its type, as it can stand in a string literal: names in backticks can contain quotes.
    var path: String { "\(relationship.owner).\(property)".replacing("\"", with: "\\\"") }

    // MARK: Types

    /// The type of the accessor: `Author?`, `[Comment]`.
    var type: String { shape.isToMany ? "[\(related)]\(optional)" : "\(related)?" }

    /// The type of what a setter takes: `Author`, `[Comment]?`.
    var parameterType: String { (shape.isToMany ? "[\(related)]" : related) + optional }

    /// The type of the identifier property, by a name that means the same wherever the accessors stand.
    var propertyType: String {
        let identifier = "\(related).ID" + (shape.hasOptionalElements ? "?" : "")
        return switch shape.container {
        case .none: identifier + optional
        case .array: "[\(identifier)]\(optional)"
        case .set: "Swift.Set<\(identifier)>\(optional)"
        }
    }

    /// The type of the live handles.
    var handleType: String {
        (shape.isToMany ? "[FlatCache.Cached<\(related)>]" : "FlatCache.Cached<\(related)>") + optional
    }

    /// The type of the live handles that a handle of the owner gives, which may have no owner.
    var ownHandleType: String { shape.isToMany ? handleType : "FlatCache.Cached<\(related)>?" }

    // MARK: Documentation

    /// What the accessor gives, as the beginning of a sentence that goes on with the property.
    var subject: String { shape.isToMany ? "Those of the `\(related)`s that" : "The `\(related)` that" }

    /// What the handle accessor gives, as the beginning of such a sentence.
    var handleSubject: String {
        shape.isToMany ? "Live handles to the `\(related)`s that" : "A live handle to the `\(related)` that"
    }

    /// What the accessor gives when something is missing.
    var whenMissing: String {
        switch (shape.isToMany, shape.isOptional) {
        case (false, false): "`nil` when it is not stored"
        case (false, true): "`nil` when it is not stored, or `\(property)` is `nil`"
        case (true, false): "missing ones are left out"
        case (true, true): "missing ones are left out, and it is `nil` when `\(property)` is"
        }
    }

    /// What is fetched, as a part of a sentence that goes on with the property.
    var fetchSubject: String { shape.isToMany ? "the `\(related)`s that" : "the `\(related)` that" }

    /// When fetching fails, and what is fetched where there is no identifier.
    var fetchFails: String {
        (shape.isToMany ? "one of them can't be had" : "it can't be had")
            + (shape.isOptional ? "; `nil` where `\(property)` is" : "")
    }

    /// When an accessor that throws does, and what it gives where there is no identifier.
    var throwsWhen: String {
        (shape.isToMany ? "one of them is not stored" : "it is not stored")
            + (shape.isOptional ? "; `nil` where `\(property)` is" : "")
    }

    // MARK: Fetching

    /// The identifiers to fetch, as an argument; optional ones are unwrapped as `identifiers`.
    var fetchArgument: String {
        let identifiers = shape.isOptional ? "identifiers" : "self.\(property)"
        return shape.isToMany ? "ids: \(identifiers)\(compacted)" : "id: \(identifiers)"
    }

    /// Makes the relationship that key paths lead to.
    var description: String {
        shape.isToMany
            ? ".toMany { $0.\(property)\(shape.hasOptionalElements ? optional + compacted : "") }"
            : ".toOne { $0.\(property) }"
    }

    // MARK: Reading

    /// Reads what the accessor gives.
    var read: String {
        switch (shape.isToMany, shape.isOptional) {
        case (false, false): "cache._get(\(related).self, id: self.\(property))"
        case (false, true): "self.\(property).flatMap { cache._get(\(related).self, id: $0) }"
        case (true, false): "cache._get(\(related).self, ids: self.\(property)\(compacted))"
        case (true, true): "self.\(property).map { cache._get(\(related).self, ids: $0\(compacted)) }"
        }
    }

    /// Reads the identifiers of missing entities.
    var readMissing: String {
        shape.isOptional
            ? "self.\(property).map { cache._missingIDs(of: \(related).self, in: $0\(compacted)) } ?? []"
            : "cache._missingIDs(of: \(related).self, in: self.\(property)\(compacted))"
    }

    /// Makes the live handles.
    var readHandle: String {
        if !shape.isToMany && !shape.isOptional {
            return "cache._handle(\(related).self, id: self.\(property))"
        }
        let identifiers = "self.\(property)" + (shape.isToMany ? optional + compacted : "")
        return "\(identifiers).map { cache._handle(\(related).self, id: $0) }"
    }

    // MARK: Setting, with what is to be stored called `related`

    /// Stores the entities.
    var store: String {
        switch (shape.isToMany, shape.isOptional) {
        case (false, false): "cache._set(related)"
        case (false, true): "if let related { cache._set(related) }"
        case (true, false): "cache._set(contentsOf: related)"
        case (true, true): "cache._set(contentsOf: related ?? [])"
        }
    }

    /// The entities to store, as a sequence.
    var stored: String {
        switch (shape.isToMany, shape.isOptional) {
        case (false, false): "[related]"
        case (false, true): "related.map { [$0] } ?? []"
        case (true, false): "related"
        case (true, true): "related ?? []"
        }
    }

    /// The identifiers of the entities, in the type of the property.
    var identifiers: String {
        guard shape.isToMany else { return "related\(optional).id" }
        guard shape.container == .set else { return "related\(optional).map { $0.id }" }
        return shape.isOptional ? "related.map { Swift.Set($0.map { $0.id }) }" : "Swift.Set(related.map { $0.id })"
    }
}
