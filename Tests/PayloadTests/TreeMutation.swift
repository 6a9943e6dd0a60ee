import FlatCache
import Foundation
import SeededRandom

/// A change of one element of a list, which is an array or an object in a tree of Foundation's objects.
struct TreeMutation {
    /// The changed tree.
    private(set) var tree: Any
    /// The index or the name of the changed element.
    let name: String
    /// Whether the element must be stored or in the problems.
    let isThere: Bool
    /// The identifiers of the changed element.
    private(set) var ids: Set<String> = []
    /// The texts in the element before and after the change, which can be identifiers of others.
    let concerned: Set<String>

    /// Changes an element, or returns `nil` if there is none.
    init?(of tree: Any, at path: [String], isPropertyList: Bool, _ random: inout SeededGenerator) {
        let list = path.reduce(tree as Any?) { ($0 as? [String: Any])?[$1] }
        let element: Any
        if let elements = list as? [Any], !elements.isEmpty {
            let index = random.below(elements.count)
            (name, element) = ("\(index)", elements[index])
        } else if let members = list as? [String: Any], let key = members.keys.sorted().randomElement(using: &random) {
            (name, element) = (key, members[key] ?? NSNull())
            ids = [key]
        } else {
            return nil
        }
        var changer = ElementChanger(random: random, isPropertyList: isPropertyList)
        var changed = element
        for _ in 0...changer.random.below(3) { changed = changer.changed(changed) }
        random = changer.random
        let members = changed as? [String: Any]
        if let id = members?["id"], !(id is [Any]), !(id is [String: Any]) { ids.insert("\(id)") }
        // A JSON:API resource of another type isn't a resource of the list's type.
        let type = (element as? [String: Any])?["type"] as? String
        isThere = path != ["included"] || type == members?["type"] as? String
        concerned = Self.texts(in: element).union(Self.texts(in: changed)).union(ids)
        self.tree = Self.replacing(tree, path[...], name, changed)
    }

    private static func replacing(_ tree: Any, _ path: ArraySlice<String>, _ name: String, _ changed: Any) -> Any {
        if var elements = tree as? [Any], let index = Int(name) {
            elements[index] = changed
            return elements
        }
        guard var members = tree as? [String: Any] else { return tree }
        if let first = path.first {
            members[first] = members[first].map { replacing($0, path.dropFirst(), name, changed) }
        } else {
            members[name] = changed
        }
        return members
    }

    private static func texts(in tree: Any) -> Set<String> {
        if let elements = tree as? [Any] { return elements.reduce(into: []) { $0.formUnion(texts(in: $1)) } }
        if let members = tree as? [String: Any] {
            return members.values.reduce(into: []) { $0.formUnion(texts(in: $1)) }
        }
        return ["\(tree)"]
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
    /// Whether the value of the problem is in an element of a list.
    func isInside(_ path: [String], _ name: String) -> Bool {
        let names = codingPath.prefix(path.count + 1).map { key in key.intValue.map(String.init) ?? key.stringValue }
        return names == path + [name]
    }
}
