import RelationshipGenerator
import SeededRandom

/// Random decodable entities, for a program that decodes random documents of them.
struct PayloadSketch {
    /// A property of an entity.
    private struct Property {
        var name: String
        /// The coding key.
        var key: String
        var isOptional: Bool
        /// The declaration, without a line break at the end.
        var declaration: String
        /// The type, which `init(from:)` decodes.
        var type: String
        /// The kind in the table of the reference implementation.
        var kind: String

        var isRelationship: Bool { kind.contains("accessor") }
    }

    private struct Entity {
        var name: String
        var isEncodable: Bool
        /// Whether its `init(from:)` is written by hand.
        var isDecodedByHand: Bool
        var hasLocal: Bool
        var properties: [Property]
    }

    /// A structure in entities, or in structures with higher numbers.
    private struct Structure {
        var name: String
        var isEncodable: Bool
        var properties: [Property]
    }

    /// The numbers of entities and structures to which properties can refer.
    private struct Counts {
        var entities: Int
        var structures: Int
    }

    private let entities: [Entity]
    private let structures: [Structure]

    init(_ numbers: inout SeededGenerator) {
        let counts = Counts(entities: 3 + numbers.below(4), structures: 1 + numbers.below(4))
        var structures: [Structure] = []
        for number in 0..<counts.structures {
            let isEncodable = number == 0 || !numbers.once(in: 3)
            let lower = isEncodable ? structures.prefix { $0.isEncodable }.count : structures.count
            let inner = Counts(entities: counts.entities, structures: lower)
            var properties = (0..<(1 + numbers.below(5))).map { place in
                var property = Self.property(place, of: inner, isEncodable: isEncodable, &numbers)
                // The compiler doesn't accept wrappers in types that are nonisolated.
                property.declaration = property.declaration.replacing(Self.wrapper, with: "")
                return property
            }
            // An incomplete structure collects the entities of its relationships before those in its structures.
            properties.sort { $0.isRelationship && !$1.isRelationship }
            structures.append(Structure(name: "Structure\(number)", isEncodable: isEncodable, properties: properties))
        }
        self.structures = structures
        let encodable = structures.prefix { $0.isEncodable }.count
        entities = (0..<counts.entities).map { Self.entity($0, of: counts, encodable: encodable, &numbers) }
    }

    private static func entity(
        _ number: Int,
        of counts: Counts,
        encodable: Int,
        _ numbers: inout SeededGenerator
    ) -> Entity {
        let isEncodable = !numbers.once(in: 3)
        let counts = Counts(entities: counts.entities, structures: isEncodable ? encodable : counts.structures)
        let isDecodedByHand = numbers.once(in: 3)
        var properties = [
            Property(
                name: "id",
                key: numbers.pick("id", "_id", "number"),
                isOptional: false,
                declaration: "let id: Int",
                type: "Int",
                kind: ".id"
            )
        ]
        for place in 0..<numbers.below(8) {
            var property = property(place, of: counts, isEncodable: isEncodable, &numbers)
            if isDecodedByHand { property.declaration = property.declaration.replacing(wrapper, with: "") }
            properties.append(property)
        }
        // The identifier is anywhere.
        properties.swapAt(0, numbers.below(properties.count))
        return Entity(
            name: "Entity\(number)",
            isEncodable: isEncodable,
            isDecodedByHand: isDecodedByHand,
            // Only a synthesized `init(from:)` is known not to set it.
            hasLocal: !isDecodedByHand && !numbers.once(in: 3),
            properties: properties
        )
    }

    private static func property(
        _ place: Int,
        of counts: Counts,
        isEncodable: Bool,
        _ numbers: inout SeededGenerator
    ) -> Property {
        let isOptional = numbers.once(in: 2)
        let mark = isOptional ? "?" : ""
        if numbers.once(in: 3) {
            let related = numbers.below(counts.entities)
            let isMany = numbers.once(in: 2)
            let name = isMany ? "item\(place)IDs" : "owner\(place)ID"
            let accessor = isMany ? "item\(place)s" : "owner\(place)"
            let type = isMany ? "[Entity\(related).ID]" : "Entity\(related).ID"
            let word = numbers.pick("let", "var", "private(set) var")
            return Property(
                name: name,
                key: numbers.once(in: 3) ? "the\(isMany ? "Items" : "Owner")\(place)" : name,
                isOptional: isOptional,
                declaration:
                    "// relationship: Entity\(related), name: \(accessor)\n    \(word) \(name): \(type)\(mark)",
                type: type,
                kind: ".\(isMany ? "many" : "one")(\(related), accessor: \"\(accessor)\")"
            )
        }
        let structure = counts.structures > 0 ? numbers.below(counts.structures) : nil
        let (type, kind) = numbers.pick(
            ("Int", "int"),
            ("Bool", "bool"),
            ("String", "text"),
            ("[String]", "texts"),
            ("Mood", "mood"),
            ("Media", "media"),
            structure.map { ("Structure\($0)", "structure(\($0))") } ?? ("Int", "int"),
            structure.map { ("Structure\($0)", "structure(\($0))") } ?? ("String", "text"),
            ("[String: Int]", "counts")
        )
        let name = "value\(place)"
        // Only a property that is encoded can be kept without being read.
        let words = ["let", "var", "private(set) var", "fileprivate(set) var"] + (isEncodable ? ["private var"] : [])
        let word = words[numbers.below(words.count)]
        let isWrapped = type == "Int" && !isOptional && word == "var" && numbers.once(in: 2)
        return Property(
            name: name,
            key: numbers.once(in: 3) ? "theValue\(place)" : name,
            isOptional: isOptional,
            declaration: "\(isWrapped ? wrapper : "")\(word) \(name): \(type)\(mark)",
            type: type,
            kind: ".\(kind)"
        )
    }

    private static let wrapper = "@Clamped "

    /// A property wrapper that is decoded as its value, in the file with the models, where the generator sees it.
    private static let wrapperType = """
        @propertyWrapper
        struct Clamped: Codable, Sendable {
            var wrappedValue: Int

            init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

            init(from decoder: any Decoder) throws {
                wrappedValue = try decoder.singleValueContainer().decode(Int.self)
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(wrappedValue)
            }
        }

        """

    /// An `init(from:)` that reads each key.
    private static func initializer(of properties: [Property]) -> String {
        let lines = properties.map { property in
            let method = property.isOptional ? "decodeIfPresent" : "decode"
            let arguments = "\(property.type).self, forKey: .\(property.name)"
            return "        \(property.name) = try container.\(method)(\(arguments))\n"
        }
        return "    init(from decoder: any Decoder) throws {\n"
            + "        let container = try decoder.container(keyedBy: CodingKeys.self)\n" + lines.joined() + "    }\n"
    }

    /// The file with the models.
    var source: String {
        let types = entities.map { entity in
            let keys = entity.properties.map {
                $0.key == $0.name ? $0.name : "\($0.name) = \"\($0.key)\""
            }
            let hasKeys = entity.hasLocal || entity.isDecodedByHand || entity.properties.contains { $0.key != $0.name }
            let local = entity.hasLocal ? "    var local = 0\n" : "    var local: Int { get { 0 } set {} }\n"
            let cases = "    enum CodingKeys: String, CodingKey { case \(keys.joined(separator: ", ")) }\n"
            let values = entity.properties.map { "\"\($0.key)\": JSON(\($0.name) as Any)" } + ["\"local\": .int(local)"]
            return "struct \(entity.name): Cachable, \(entity.isEncodable ? "Codable" : "Decodable"), Snapshotable {\n"
                + entity.properties.map { "    \($0.declaration)\n" }.joined() + local + (hasKeys ? cases : "")
                + (entity.isDecodedByHand ? Self.initializer(of: entity.properties) : "")
                + "    var snapshot: [String: JSON] {\n        [\(values.joined(separator: ", "))]\n    }\n}\n"
        }
        let inner = structures.map { structure in
            let keys = structure.properties.map { $0.key == $0.name ? $0.name : "\($0.name) = \"\($0.key)\"" }
            let values = structure.properties.map { "\"\($0.key)\": JSON(\($0.name) as Any)" }
            return
                "nonisolated struct \(structure.name): \(structure.isEncodable ? "Codable" : "Decodable"), Sendable, Structure {\n"
                + structure.properties.map { "    \($0.declaration)\n" }.joined()
                + "    enum CodingKeys: String, CodingKey { case \(keys.joined(separator: ", ")) }\n"
                + "    var snapshot: [String: JSON] {\n        [\(values.joined(separator: ", "))]\n    }\n}\n"
        }
        return "import FlatCache\n\n" + (types + inner + [Self.wrapperType]).joined(separator: "\n")
    }

    /// The file with the table for the reference implementation.
    var table: String {
        func rows(_ properties: [Property]) -> [String] {
            properties.map { "        .init(key: \"\($0.key)\", kind: \($0.kind), isOptional: \($0.isOptional)),\n" }
        }
        let structures = structures.map { "    [\n\(rows($0.properties).joined())    ],\n" }
        let models = entities.map { entity in
            let properties = rows(entity.properties)
            let local = entity.hasLocal ? "" : ", hasLocal: false"
            return "    Model(\(entity.name).self, [\n\(properties.joined())    ]\(local)),\n"
        }
        return "nonisolated(unsafe) let models: [Model] = [\n\(models.joined())]\n\n"
            + "let structures: [[Model.Property]] = [\n\(structures.joined())]\n"
    }
}

extension PayloadSketch {
    /// Compiles a program that compares the library with the reference implementation, and runs it.
    ///
    /// - Parameters:
    ///   - compiler: The compiler.
    ///   - program: The other files of the program.
    ///   - documents: The number of random documents.
    func verdict(_ compiler: Compiler, _ program: [RenderedFile], documents: Int) -> Verdict {
        var files = [RenderedFile(name: "Models.swift", text: source)]
        switch Sketch.generate(files, compiler.template) {
        case .failure(let failure):
            return .wrong(failure.diagnostics.map(\.description).joined(separator: "\n"), files: files)
        case .success(let accessors):
            files.append(RenderedFile(name: "Models+Relationships.swift", text: accessors))
            files.append(RenderedFile(name: "Table.swift", text: table))
            guard let errors = compiler.errors(running: files + program, ["\(documents)"]) else { return .fine }
            return .wrong(errors, files: files)
        }
    }
}
