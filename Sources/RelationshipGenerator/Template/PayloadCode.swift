/// The code of a table of keys.
struct PayloadCode {
    private let table: PayloadTable
    /// The number of characters before the code in a line of the generated file.
    private static let indentation = 8

    init(_ table: PayloadTable) {
        self.table = table
    }

    /// The lines of the body that returns the keys.
    ///
    /// It is an array, or statements if keys are declared under conditions, which an array can't contain.
    var lines: [String] {
        let groups = groups
        guard groups.contains(where: { $0.condition != nil }) else { return Self.array(of: table.keys, after: "") }
        let unconditional = groups[0].condition == nil ? groups[0].keys : []
        var lines = Self.array(of: unconditional, after: "var keys: [_PayloadKey] = ")
        for group in groups.dropFirst(unconditional.isEmpty ? 0 : 1) {
            let addition = Self.array(of: group.keys, after: "keys += ")
            lines += group.condition.map { ["#if \($0)"] + addition + ["#endif"] } ?? addition
        }
        return lines + ["return keys"]
    }

    /// Keys that follow each other under the same condition.
    private var groups: [(condition: String?, keys: [PayloadTable.Key])] {
        var groups: [(condition: String?, keys: [PayloadTable.Key])] = []
        for key in table.keys {
            if let last = groups.last, last.condition == key.condition {
                groups[groups.count - 1].keys.append(key)
            } else {
                groups.append((key.condition, [key]))
            }
        }
        return groups
    }

    /// An array literal with as many keys in a line as fit.
    private static func array(of keys: [PayloadTable.Key], after beginning: String) -> [String] {
        var lines = [beginning + "["]
        for (index, key) in keys.enumerated() {
            let entry = entry(key) + (index == keys.count - 1 ? "]" : ",")
            let isFirst = lines[lines.count - 1].hasSuffix("[")
            let length = indentation + lines[lines.count - 1].count + entry.count + (isFirst ? 0 : 1)
            if length <= LineWrapping.limit || isFirst {
                lines[lines.count - 1] += (isFirst ? "" : " ") + entry
            } else {
                lines += wrapped(entry, indentedBy: beginning.isEmpty ? 1 : 4)
            }
        }
        if keys.isEmpty { lines[0] += "]" }
        return lines
    }

    /// The lines of an entry, which is broken before arguments if it is longer than a line.
    private static func wrapped(_ entry: String, indentedBy width: Int) -> [String] {
        var lines = [String(repeating: " ", count: width)]
        for (index, argument) in entry.split(separator: ", ", omittingEmptySubsequences: false).enumerated() {
            let piece = (index == 0 ? "" : ", ") + argument
            // The comma stays in the line before.
            if indentation + lines[lines.count - 1].count + piece.count + 1 > LineWrapping.limit, index > 0 {
                lines[lines.count - 1] += ","
                lines.append(String(repeating: " ", count: width + 4) + argument)
            } else {
                lines[lines.count - 1] += piece
            }
        }
        return lines
    }

    private static func alternatives(_ key: PayloadTable.Key) -> String {
        key.alternatives.map { ", \(StringLiteral.literal(of: $0))" }.joined()
    }

    /// The related type and the alternatives, after other arguments.
    private static func related(_ type: String?, _ key: PayloadTable.Key) -> String {
        type.map { ", \($0)\(alternatives(key))" } ?? ""
    }

    private static func entry(_ key: PayloadTable.Key) -> String {
        if !key.isIdentifier { return initializer(key) }
        if case .readable = key.form { return initializer(key, label: "id: ") }
        return initializer(key) + ".asIdentifier"
    }

    @_optimize(none)
    private static func initializer(_ key: PayloadTable.Key, label: String = "") -> String {
        let name = StringLiteral.literal(of: key.name)
        let path = "\\.\(SwiftWords.member(key.property.name))"
        switch key.form {
        case .readable: return ".init(\(label)\(name), \(path))"
        case .local: return ".init(local: \(path))"
        case .wrapped(let type, let related):
            let type = type.map { ", as: \($0)" } ?? ""
            return ".init(\(name), wrapped: \(path)\(type)\(self.related(related, key)))"
        case .omittable(let related): return ".init(\(name), omittable: \(path)\(self.related(related, key)))"
        case .hidden(let type): return ".init(\(name), \(type))"
        case .related(let type): return ".init(\(name), \(path)\(related(type, key)))"
        case .linked(let type): return ".init(\(name), to: \(type)\(alternatives(key)))"
        }
    }
}

extension PayloadTable.Key {
    /// The condition under which the key is read, or `nil` if it is always read.
    var condition: String? {
        conditions.isEmpty ? nil : ConditionalBranch.condition(ofAnyOf: [conditions])
    }
}
