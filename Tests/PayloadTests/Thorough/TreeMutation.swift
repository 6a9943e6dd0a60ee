import FlatCache
import Foundation
import SeededRandom

/// A value with objects, arrays and scalars of Foundation.
struct FoundationTree {
    let value: Any

    /// The value at a path of names and indices, or `nil` if there is none.
    subscript(path: [String]) -> FoundationTree? {
        path.reduce(self) { $0?[$1] }
    }

    private subscript(name: String) -> FoundationTree? {
        if let elements = value as? [Any], let index = Int(name) { return FoundationTree(value: elements[index]) }
        return (value as? [String: Any])?[name].map { FoundationTree(value: $0) }
    }

    /// The names of the members, or the indices of the elements.
    var names: [String] {
        if let elements = value as? [Any] { return elements.indices.map(String.init) }
        return (value as? [String: Any])?.keys.sorted() ?? []
    }

    /// The paths of all values in the value.
    var paths: [[String]] {
        names.flatMap { name in [[name]] + (self[name]?.paths.map { [name] + $0 } ?? []) }
    }

    /// The texts of all scalars in the value.
    var texts: Set<String> {
        names.isEmpty ? ["\(value)"] : names.reduce(into: []) { $0.formUnion(self[$1]?.texts ?? []) }
    }

    /// A copy with another value at a path.
    func replacing(_ path: some Collection<String>, by other: Any) -> FoundationTree {
        guard let name = path.first else { return FoundationTree(value: other) }
        let member = (self[name] ?? FoundationTree(value: NSNull())).replacing(path.dropFirst(), by: other).value
        if var elements = value as? [Any], let index = Int(name) {
            elements[index] = member
            return FoundationTree(value: elements)
        }
        var members = value as? [String: Any] ?? [:]
        members[name] = member
        return FoundationTree(value: members)
    }
}

/// A change of one element of a list, which is an array or an object.
struct TreeMutation {
    /// The changed tree.
    let tree: FoundationTree
    /// The index or the name of the changed element.
    let name: String
    /// Whether the element must be stored or in the problems.
    let isThere: Bool
    /// The identifiers of the changed element.
    private(set) var ids: Set<String> = []
    /// The texts in the element before and after the change, which can be identifiers of others.
    let concerned: Set<String>

    /// Changes an element, or returns `nil` if there is none.
    init?(of tree: FoundationTree, at path: [String], isPropertyList: Bool, _ random: inout SeededGenerator) {
        guard let list = tree[path], let name = list.names.randomElement(using: &random),
            let element = list[[name]]
        else { return nil }
        self.name = name
        var changer = ElementChanger(random: random, isPropertyList: isPropertyList)
        var changed = element.value
        for _ in 0...changer.random.below(3) { changed = changer.changed(changed) }
        random = changer.random
        // The name in an object can be the identifier.
        if list.value is [String: Any] { ids = [name] }
        let members = changed as? [String: Any]
        if let id = members?["id"], !(id is [Any]), !(id is [String: Any]) { ids.insert("\(id)") }
        // A JSON:API resource of another type isn't a resource of the list's type.
        let type = element[["type"]]?.value as? String
        isThere = path != ["included"] || type == members?["type"] as? String
        concerned = element.texts.union(FoundationTree(value: changed).texts).union(ids)
        self.tree = tree.replacing(path + [name], by: changed)
    }
}

/// The changes of a value at a random place.
struct ElementChanger {
    var random: SeededGenerator
    let isPropertyList: Bool

    /// A value with one part changed.
    mutating func changed(_ value: Any) -> Any {
        if random.below(8) > 0 {
            if let members = value as? [String: Any], !members.isEmpty { return changed(members) }
            if let elements = value as? [Any], !elements.isEmpty { return changed(elements) }
        }
        let others: [Any] = [
            isPropertyList ? "" : NSNull(), 5, -1.5, 1e300, true, "", "x", [Any](), [5], [[String: Any]()],
            [String: Any](),
            ["id": 5], ["id": "x", "type": "y"], Int.max, Int.min, String(repeating: "\u{1F469}\u{200D}", count: 40),
        ]
        return random.pick(from: others)
    }

    private mutating func changed(_ members: [String: Any]) -> Any {
        var members = members
        let names = members.keys.sorted()
        let (name, other) = (random.pick(from: names), random.pick(from: names))
        switch random.below(10) {
        case 0: members[name] = nil
        case 1: (members[name], members[other]) = (members[other], members[name])
        case 2:
            members[random.pick(from: ["id", "type", "\(name)s", "x"])] = members[name]
            members[name] = nil
        default: members[name] = members[name].map { changed($0) }
        }
        return members
    }

    private mutating func changed(_ elements: [Any]) -> Any {
        var elements = elements
        let (index, other) = (random.below(elements.count), random.below(elements.count))
        switch random.below(10) {
        case 0: elements.remove(at: index)
        case 1: elements.append(elements[index])
        case 2: elements.swapAt(index, other)
        default: elements[index] = changed(elements[index])
        }
        return elements
    }
}

extension Data {
    /// Changes some bytes at a random place.
    mutating func change(_ random: inout SeededGenerator) {
        let place = random.below(count)
        let end = Swift.min(place + 1 + random.below(12), count)
        switch random.below(8) {
        case 0: self[place] = UInt8(random.below(256))
        case 1: self[place] ^= 1 << UInt8(random.below(8))
        case 2: removeSubrange(place..<end)
        case 3: insert(contentsOf: self[place..<end], at: random.below(count))
        case 4:
            replaceSubrange(
                place..<end,
                with: Data(random.pick(from: ["null", "1e999", "[", "{", "-", "\"", "</"]).utf8)
            )
        case 5: insert(contentsOf: random.pick(from: [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0]]), at: place)
        case 6:
            // A member with a name that the object may have.
            guard let brace = self[place...].firstIndex(of: UInt8(ascii: "{")) else { return }
            let names = ["id", "data", "type", "account", "user", "issues", "created"]
            insert(contentsOf: Data("\"\(random.pick(from: names))\":5,".utf8), at: brace + 1)
        default: insert(random.pick(from: Array(#"{}[]":,0a\nul<>"#.utf8)), at: place)
        }
    }
}

extension PayloadProblem {
    /// The names and indices in the path.
    var names: [String] { codingPath.map { key in key.intValue.map(String.init) ?? key.stringValue } }

    /// Whether the problem is a broken rule of JSON:API, which can be in another place than its cause.
    var isViolation: Bool {
        if case .violation = reason { true } else { false }
    }
}
