import FlatCache
import Foundation
import SeededRandom
import Testing

/// Random payloads of entities and patches against a dictionary that is changed in the same order.
@Suite("Random patches")
struct RandomPatchTests {
    struct Entry: Decodable {
        let pictures: [Picture]?
        let thumbnail: Thumbnail?
        let change: PictureChange?
    }

    /// A patch that makes no picture.
    struct PictureChange: Decodable, EntityPatch {
        let id: Int
        @Omittable var address: String?
        @Omittable var width: Int?

        func apply(to picture: inout Picture) {
            if let address { picture.address = address }
            $width.assign(to: &picture.width)
        }
    }

    /// A member of an object, absent, null or a number.
    private struct Member {
        let state: Omittable<Int>.State
        let json: String

        init(_ name: String, _ random: inout SeededGenerator, isText: Bool = false) {
            let number = random.below(100)
            state = random.pick(from: [.absent, .value(number), .value(number)] + (isText ? [] : [.null]))
            json =
                switch state {
                case .absent: ""
                case .null: ", \"\(name)\": null"
                case .value(let value): ", \"\(name)\": \(isText ? "\"\(value)\"" : "\(value)")"
                }
        }
    }

    /// Incomplete entities of a payload, which a later one completes.
    private struct Pending {
        var width = Omittable<Int>.State.absent
        var count = 0

        mutating func add(_ state: Omittable<Int>.State) {
            if case .absent = state {} else { width = state }
            count += 1
        }
    }

    @Test("P2: Patches and entities lead to the model's state", arguments: Seeds.first(80, full: 200))
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        var model: [Int: Picture] = [:]
        _ = try JSONDecoder().decode(Payload<Picture>.self, from: Data(#"{"id": 0, "address": "", "width": 1}"#.utf8))
        for _ in 0..<10 {
            var problems = 0
            var pending: [Int: Pending] = [:]
            let entries = (0..<random.below(12)).map { _ in entry(of: &model, &pending, &problems, &random) }
            let json = Data("[\(entries.joined(separator: ", "))]".utf8)
            let stored = cache.store(try JSONDecoder().decode(Payload<[Entry]>.self, from: json))
            #expect(stored.problems.count == problems, "seed \(seed)")
            let pictures = Dictionary(cache.allValues(of: Picture.self).map { ($0.id, $0) }) { $1 }
            try #require(pictures == model, "seed \(seed)")
            let removed = random.below(4)
            cache.remove(Picture.self, id: removed)
            model[removed] = nil
        }
    }

    /// Makes a random entry of a payload, and changes the model in the same way.
    private func entry(
        of model: inout [Int: Picture],
        _ pending: inout [Int: Pending],
        _ problems: inout Int,
        _ random: inout SeededGenerator
    ) -> String {
        let id = random.below(4)
        let address = Member("address", &random, isText: true)
        let width = Member("width", &random)
        var addressText: String?
        if case .value(let value) = address.state { addressText = "\(value)" }
        switch random.below(3) {
        case 0:
            if let start = addressText.map({ Picture(id: id, address: $0, width: model[id]?.width) }) ?? model[id] {
                model[id] = start
                let earlier = pending.removeValue(forKey: id)
                problems -= earlier?.count ?? 0
                earlier?.width.assign(to: &model[id, default: start].width)
                width.state.assign(to: &model[id, default: start].width)
            } else {
                problems += 1
                pending[id, default: Pending()].add(width.state)
            }
            return "{\"pictures\": [{\"id\": \(id)\(address.json)\(width.json)}]}"
        case 1:
            let width = random.below(100)
            model[id, default: Picture(id: id, address: "/\(id)")].width = width
            pending[id] = nil
            return "{\"thumbnail\": {\"id\": \(id), \"width\": \(width)}}"
        default:
            pending[id] = nil
            if var picture = model[id] {
                if let addressText { picture.address = addressText }
                width.state.assign(to: &picture.width)
                model[id] = picture
            } else {
                problems += 1
            }
            return "{\"change\": {\"id\": \(id)\(address.json)\(width.json)}}"
        }
    }
}
