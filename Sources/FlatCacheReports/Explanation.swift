package import RelationshipGenerator

/// An explanation of the annotations and decodable entities of targets, as text or as JSON.
package struct Explanation: Sendable {
    private let reports: [TargetReport]

    /// Creates an explanation of targets, ordered by name.
    package init(_ reports: [TargetReport]) {
        self.reports = reports.sorted { $0.target < $1.target }
    }

    /// The annotations with their properties and derived names, the keys of decodable entities, the errors, and the
    /// number of annotations and errors.
    package var text: String {
        var lines: [String] = []
        for report in reports {
            for annotation in report.annotations { lines += self.lines(on: annotation) + [""] }
            for payload in report.payloads { lines += self.lines(on: payload) + [""] }
            for diagnostic in report.otherErrors + report.notes { lines += [diagnostic.description, ""] }
        }
        return (lines + [summary, ""]).joined(separator: "\n")
    }

    private func lines(on annotation: AnnotationReport) -> [String] {
        var lines = [
            "\(annotation.path):\(annotation.location.line):\(annotation.location.column): \(annotation.comment)"
        ]
        if let subject = annotation.subject {
            let index = annotation.index.map {
                $0.isUnique ? ", unique index" : $0.isEach ? ", index of each" : ", index"
            }
            let gives = annotation.relationship.map(self.description) ?? index
            let type = subject.type.map { subject.isCase ? $0 : ": \($0)" }
            lines.append("    \(subject.owner).\(subject.name)\(type ?? "")\(gives ?? "")")
        }
        if let relationship = annotation.relationship {
            lines.append("    \(relationship.calls.joined(separator: ", "))")
        }
        return lines + annotation.errors.map { "    \($0)" }
    }

    private func description(of relationship: RelationshipReport) -> String {
        let related = relationship.related.name
        return " → \(relationship.type)" + (relationship.inverse.map { ", inverse \(related).\($0)" } ?? "")
            + (relationship.keepsInverse ? ", kept by handles" : "")
            + (relationship.backlink.map { ", backlink \(related).\($0)" } ?? "")
            + (relationship.sorted.map { " sorted by \($0)" } ?? "") + deleteRule(of: relationship)
            + replacement(of: relationship)
    }

    private func deleteRule(of relationship: RelationshipReport) -> String {
        let noun = relationship.noun
        return switch relationship.deleteRule {
        case .cascade: ", removed with \(relationship.isToMany ? "any of " : "")\(noun)"
        case .nullify where relationship.isToMany: ", loses the identifiers of \(noun) that are removed"
        case .nullify: ", loses its identifier when \(noun) is removed"
        case .keep, nil: ""
        }
    }

    private func replacement(of relationship: RelationshipReport) -> String {
        switch relationship.replacement {
        case .set: ""
        case .coded: ", decoded again when an identifier is replaced"
        case .none: ", keeps an identifier that is replaced"
        }
    }

    private func lines(on payload: PayloadReport) -> [String] {
        let location = payload.location
        let keys = payload.keys.map { key in
            let names = ([key.name] + key.alternatives).map(StringLiteral.literal).joined(separator: ", ")
            let converted = key.convertedName.map(StringLiteral.literal)
            let remarks = [
                key.related.map { " → \($0)" }, key.condition.map { " if \($0)" },
                converted.map { ", which .convertFromSnakeCase makes \($0)" },
            ]
            return "    \(key.property) from \(names)" + remarks.compactMap(\.self).joined()
        }
        let learnt = payload.isLearnt ? " are learnt from the first complete entity of each case in a process" : ""
        return ["\(location): keys of \(payload.type)\(learnt)"] + keys + payload.notes.map { "    \($0)" }
    }

    /// The number of annotations and the number of errors.
    package var summary: String {
        let annotations = reports.reduce(0) { $0 + $1.annotations.count }
        let errors = reports.reduce(0) { $0 + $1.errors.count }
        return "\(counted(annotations, "annotation")), \(counted(errors, "error"))"
    }

    /// The notes on what payloads can't read or keep, ordered by file and line.
    package var payloadNotes: [Diagnostic] {
        reports.flatMap(\.payloads).flatMap(\.notes).sorted { $0.location < $1.location }
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// The explanation as a JSON document.
    package var json: String {
        JSONValue.object([("targets", .array(reports.map(value)))]).text
    }

    private func value(_ report: TargetReport) -> JSONValue {
        .object([
            ("target", .string(report.target)),
            ("annotations", .array(report.annotations.map(value))),
            ("otherErrors", .array(report.otherErrors.map(value))),
            ("notes", .array(report.notes.map(value))),
            ("payloads", .array(report.payloads.map(value))),
        ])
    }

    private func value(_ payload: PayloadReport) -> JSONValue {
        .object([
            ("type", .string(payload.type)),
            ("file", .string(payload.location.path)),
            ("line", .number(payload.location.line)),
            ("column", .number(payload.location.column)),
            ("keys", .array(payload.keys.map(value))),
            ("notes", .array(payload.notes.map(value))),
        ])
    }

    private func value(_ key: PayloadReport.Key) -> JSONValue {
        .object([
            ("property", .string(key.property)),
            ("key", .string(key.name)),
            ("alternatives", .array(key.alternatives.map { .string($0) })),
            ("related", .string(key.related)),
            ("condition", .string(key.condition)),
        ])
    }

    private func value(_ annotation: AnnotationReport) -> JSONValue {
        .object([
            ("file", .string(annotation.path)),
            ("line", .number(annotation.location.line)),
            ("column", .number(annotation.location.column)),
            ("comment", .string(annotation.comment)),
            ("property", annotation.subject.map(value) ?? .null),
            ("relationship", annotation.relationship.map(value) ?? .null),
            ("index", annotation.index.map(value) ?? .null),
            ("errors", .array(annotation.errors.map(value))),
        ])
    }

    private func value(_ property: AnnotatedProperty) -> JSONValue {
        .object([
            ("owner", .string(property.owner)),
            ("name", .string(property.name)),
            ("type", .string(property.type)),
            ("isCase", .boolean(property.isCase)),
            ("line", .number(property.location.line)),
            ("column", .number(property.location.column)),
        ])
    }

    private func value(_ relationship: RelationshipReport) -> JSONValue {
        .object([
            ("related", .string(relationship.related.name)),
            ("module", .string(relationship.related.module)),
            ("isToMany", .boolean(relationship.isToMany)),
            ("isOptional", .boolean(relationship.isOptional)),
            ("inverse", .string(relationship.inverse)),
            ("backlink", .string(relationship.backlink)),
            ("sorted", .string(relationship.sorted)),
            ("delete", .string(relationship.deleteRule?.rawValue)),
            ("replacement", .string(relationship.replacement.rawValue)),
            ("type", .string(relationship.type)),
            ("access", .string(relationship.access.rawValue)),
            ("names", .object(relationship.names.map { ($0.role, .string($0.name)) })),
        ])
    }

    private func value(_ index: IndexReport) -> JSONValue {
        .object([("isEach", .boolean(index.isEach)), ("isUnique", .boolean(index.isUnique))])
    }

    private func value(_ diagnostic: Diagnostic) -> JSONValue {
        .object([
            ("file", .string(diagnostic.path)),
            ("line", .number(diagnostic.location.line)),
            ("column", .number(diagnostic.location.column)),
            ("message", .string(diagnostic.message)),
        ])
    }
}
