package import FlatCache
internal import Foundation

extension StoredMutation: Storable {
    package static let storedName = "FlatCache.PendingMutation"

    /// The name, the order and the arguments.
    ///
    /// The arguments are a record of their own with the names of its members, because their type needn't be known when the
    /// mutation is read.
    package struct StoredForm: Codable {
        fileprivate let content: StoredMutation

        private enum CodingKeys: String, CodingKey {
            case id, name, serial, latest, concurrent, arguments, insertions, inserted
        }

        fileprivate init(_ content: StoredMutation) {
            self.content = content
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let order: MutationOrder
            if let key = try members.decodeIfPresent(String.self, forKey: .serial) {
                order = .serial(key)
            } else if let key = try members.decodeIfPresent(String.self, forKey: .latest) {
                order = .latest(key)
            } else {
                order = try members.decodeIfPresent(Bool.self, forKey: .concurrent) == true ? .concurrent : .byEntity
            }
            content = StoredMutation(
                id: try members.decode(String.self, forKey: .id),
                name: try members.decode(String.self, forKey: .name),
                order: order,
                arguments: .bytes([UInt8](try members.decode(Data.self, forKey: .arguments))),
                insertions: try members.decodeIfPresent([String].self, forKey: .insertions) ?? [],
                inserted: try members.decodeIfPresent(Set<StoredKey>.self, forKey: .inserted) ?? []
            )
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(content.id, forKey: .id)
            try members.encode(content.name, forKey: .name)
            switch content.order {
            case .byEntity: break
            case .concurrent: try members.encode(true, forKey: .concurrent)
            case .serial(let key): try members.encode(key, forKey: .serial)
            case .latest(let key): try members.encode(key, forKey: .latest)
            }
            try members.encode(Data(content.argumentBytes), forKey: .arguments)
            if !content.insertions.isEmpty { try members.encode(content.insertions, forKey: .insertions) }
            if !content.inserted.isEmpty { try members.encode(content.inserted, forKey: .inserted) }
        }
    }

    package var storedForm: StoredForm { StoredForm(self) }

    package init(storedForm: StoredForm) { self = storedForm.content }

    /// The record of the arguments.
    package var argumentBytes: [UInt8] {
        get throws {
            switch arguments {
            case .bytes(let bytes): bytes
            case .mutation(let mutation): try RecordEncoder.bytes(of: mutation)
            }
        }
    }

    /// Decodes the mutation.
    func mutation<Mutation: StorableMutation>(as type: Mutation.Type) throws -> any StorableMutation {
        try RecordDecoder(shapes: ShapeTable()).decode(type, from: argumentBytes[...])
    }
}
