import FlatCache
import Foundation

/// An entity type with a view of its properties that doesn't depend on the library.
protocol Snapshotable: Cachable, Decodable where ID == Int {
    /// The values by coding key, and that of the local property under its name.
    var snapshot: [String: JSON] { get }
    /// The property that is never decoded.
    var local: Int { get set }
}

/// A structure in an entity, with a view of its properties that doesn't depend on the library.
protocol Structure {
    /// The values by coding key.
    var snapshot: [String: JSON] { get }
}

/// A random model, as the reference implementation knows it.
struct Model {
    enum Kind {
        case id, int, bool, text, texts, mood, counts, media
        /// The structure with a number.
        case structure(Int)
        /// A relationship to the model with a number, and the name of its accessor.
        case one(Int, accessor: String)
        case many(Int, accessor: String)
    }

    struct Property {
        let key: String
        let kind: Kind
        let isOptional: Bool
    }

    /// The shape of a document.
    enum Root: CaseIterable {
        case array
        /// A single entity.
        case entity
        /// A structure with all entities but the last one in an array, and the last one beside it.
        case page
    }

    private struct Page<Entity: Snapshotable>: Decodable {
        let items: [Entity]
        let last: Entity?
    }

    let name: String
    let properties: [Property]
    /// The properties of each case of an enumeration, by the value of its member `type`.
    let cases: [String: [Property]]
    /// Decodes and stores entities, and returns the problems.
    let store: (Data, Root, JSONDecoder, FlatCache) throws -> [String]
    let snapshots: (FlatCache) -> [Int: [String: JSON]]
    /// Sets the local property of all entities.
    let touch: (FlatCache, Int) -> Void

    /// Whether the local property is stored.
    let hasLocal: Bool

    init<Entity: Snapshotable>(
        _ type: Entity.Type,
        _ properties: [Property],
        cases: [String: [Property]] = [:],
        hasLocal: Bool = true
    ) {
        self.hasLocal = hasLocal
        self.cases = cases
        name = "\(type)"
        self.properties = properties
        store = { data, root, decoder, cache in
            let problems =
                switch root {
                case .array: cache.store(try decoder.decode(Payload<[Entity]>.self, from: data)).problems
                case .entity: cache.store(try decoder.decode(Payload<Entity>.self, from: data)).problems
                case .page: cache.store(try decoder.decode(Payload<Page<Entity>>.self, from: data)).problems
                }
            return problems.map(\.description)
        }
        snapshots = { cache in
            Dictionary(uniqueKeysWithValues: cache.allValues(of: Entity.self).map { ($0.id, $0.snapshot) })
        }
        touch = { cache, value in
            for entity in cache.allValues(of: Entity.self) {
                cache.update(Entity.self, id: entity.id) { $0.local = value }
            }
        }
    }
}
