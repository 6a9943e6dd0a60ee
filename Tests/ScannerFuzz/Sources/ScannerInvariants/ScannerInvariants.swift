import RelationshipTemplates

@testable import RelationshipGenerator

/// What must hold of any bytes that are given to the generator.
///
/// That it ends, and neither crashes nor reads out of bounds, shows by itself.
package enum ScannerInvariants {
    /// An invariant that doesn't hold.
    package struct Violation: Error, CustomStringConvertible {
        package var description: String
    }

    /// Checks the whole way from the scanner to the output.
    ///
    /// - Parameter text: The bytes of a file.
    /// - Returns: What was generated, or `nil` when the file has errors.
    package static func check(_ text: [UInt8]) throws(Violation) -> String? {
        try checkTokens(text)
        let file = Scanner.scan(text, path: "File.swift")
        try require(file.fingerprint(shiftedBy: 0) == Scanner.scan(text, path: "File.swift").fingerprint(shiftedBy: 0))
        {
            "the same text is scanned twice with different results"
        }
        let placed = PlacedText(text)
        try checkLocations(file, in: placed)
        try checkAnnotations(file, in: placed)
        try checkShift(file, text)
        return try checkGeneration(file, placed)
    }

    static func require(_ condition: Bool, _ message: () -> String) throws(Violation) {
        if !condition { throw Violation(description: message()) }
    }

    /// A line before the text moves all that is found, and changes nothing else.
    private static func checkShift(_ file: ScannedFile, _ text: [UInt8]) throws(Violation) {
        // A byte order mark and a shebang mean something at the beginning only.
        if text.starts(with: [0xEF]) || text.starts(with: Array("#!".utf8)) { return }
        let line = Array("// a line\n".utf8)
        let shifted = Scanner.scan(line + text, path: "File.swift")
        try require(file.fingerprint(shiftedBy: line.count) == shifted.fingerprint(shiftedBy: 0)) {
            "a comment before the text changes what is found in it"
        }
    }

    private static func checkGeneration(_ file: ScannedFile, _ text: PlacedText) throws(Violation) -> String? {
        let generator = RelationshipGenerator(target: "Fuzz", template: Templates.relationships)
        let output: String
        do throws(RelationshipGenerator.Failure) {
            output = try generator.generate(from: [RelationshipGenerator.Source(path: "File.swift", text: text.bytes)])
        } catch {
            try require(!error.diagnostics.isEmpty) { "it fails without an error" }
            for diagnostic in error.diagnostics {
                try require(diagnostic.path == "File.swift") { "an error is in '\(diagnostic.path)'" }
                try checkLocation(diagnostic.location, in: text, "the error '\(diagnostic.message)'")
            }
            return nil
        }
        let hasErrors = file.annotations.contains { (try? $0.payload.get()) == nil } || !file.diagnostics.isEmpty
        try require(!hasErrors) { "an annotation that can't be read is ignored" }
        let isIndexed = file.annotations.contains { annotation in
            annotation.keyword == .cache || (try? annotation.payload.get().backlink) != nil
        }
        try require(!isIndexed || output.contains("static var indexes: ")) { "an index is ignored" }
        let hasRules = file.annotations.contains { annotation in
            guard let rule = try? annotation.payload.get().deleteRule else { return false }
            return rule != .keep
        }
        try require(!hasRules || output.contains("static var deleteRules: ")) { "a delete rule is ignored" }
        return file.annotations.isEmpty ? nil : output
    }
}

extension ScannedFile {
    /// All that the scanner found, as a text to compare.
    fileprivate func fingerprint(shiftedBy shift: Int) -> String {
        var parts: [String] = []
        for type in types {
            parts.append("\(type.kind) \(type.qualifiedName) \(type.genericParameters) \(type.inheritedTypes)")
            parts.append("\(type.location.offset + shift) \(type.isLocal) \(type.conditions) \(type.parent ?? -1)")
            parts += type.memberNames.map { "\($0.name) \($0.location.offset + shift)" }
            parts += (type.properties + type.jointProperties).map {
                "\($0.name): \($0.type ?? "") \($0.location.offset + shift) \($0.attributes) \($0.hasInitialValue)"
            }
            parts += type.cases.map { "case \($0.name) \($0.location.offset + shift)" }
            parts += type.codingKeys.map { "\($0.name): \($0.rawValue) \($0.location.offset + shift)" }
        }
        parts += imports.map { "\($0.text) \($0.conditions) \($0.location.offset + shift)" }
        parts += annotations.map { "\($0.keyword) \($0.text) \($0.location.offset + shift) \(name(of: $0.attachment))" }
        parts += diagnostics.map { "\($0.message) \($0.location.offset + shift)" }
        return parts.joined(separator: "\n")
    }

    private func name(of attachment: Annotation.Attachment) -> String {
        switch attachment {
        case .property(let type, let property): "property \(type) \(property)"
        case .enumCase(let type, let index): "case \(type) \(index)"
        case .unsuitable(let declaration, _): "\(declaration)"
        case .nothing(let reason): "\(reason)"
        }
    }
}
