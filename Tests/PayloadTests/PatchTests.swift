import FlatCache
import Foundation
import Synchronization
import Testing

/// Several response models of one entity.
@Suite("Patches")
struct PatchTests {
    private let cache = FlatCache()

    private func decode<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    private func account(_ id: String = "1") -> Account? { cache.get(Account.self, id: id) }

    // MARK: In payloads

    @Test("P2: A patch changes the stored entity: absent keeps, null clears, a value sets")
    func change() throws {
        cache.set(Account(id: "1", name: "A", note: "N"))
        cache.store(try decode(ProfileResponse.self, #"{"id": "1", "name": "B"}"#))
        #expect(account() == Account(id: "1", name: "B", note: "N"))
        cache.store(try decode(ProfileResponse.self, #"{"id": "1", "note": "O"}"#))
        #expect(account() == Account(id: "1", name: "B", note: "O"))
        cache.store(try decode(ProfileResponse.self, #"{"id": "1", "note": null}"#))
        #expect(account() == Account(id: "1", name: "B"))
    }

    struct Shapes: Decodable {
        let list: [ProfileResponse]
        let byName: [String: ProfileResponse]
        let optional: ProfileResponse?
        let nested: Nested
        let picture: Framed

        struct Nested: Decodable { let single: ProfileResponse }
    }

    /// An entity with a patch.
    struct Framed: Cachable, Decodable {
        let id: Int
        let painter: ProfileResponse
    }

    @Test("P1: Patches are found in arrays, dictionaries, optional values, structures and entities")
    func places() throws {
        for id in 1...6 { cache.set(Account(id: "\(id)", name: "A")) }
        let stored = cache.store(
            try decode(
                Shapes.self,
                """
                {"list": [{"id": "1", "note": "1"}, {"id": "2", "note": "2"}], "byName": {"x": {"id": "3", "note": "3"}},
                 "optional": {"id": "4", "note": "4"}, "nested": {"single": {"id": "5", "note": "5"}},
                 "picture": {"id": 1, "painter": {"id": "6", "note": "6"}}}
                """
            )
        )
        #expect(stored.problems.isEmpty)
        for id in 1...6 { #expect(account("\(id)")?.note == "\(id)") }
        #expect(stored.ids(of: Account.self).sorted() == (1...6).map(String.init))
        #expect(cache.get(Framed.self, id: 1)?.painter.note == "6")
    }

    @Test("The value of a root of patches is the patches as they were decoded")
    func roots() throws {
        cache.set(Account(id: "1", name: "A"))
        let list = cache.store(try decode([ProfileResponse].self, #"[{"id": "1", "note": "N"}, {"id": "2"}]"#))
        #expect(list.value?.map(\.id) == ["1", "2"])
        #expect(list.value?[0].note == "N")
        #expect(list.ids(of: Account.self) == ["1", "2"])
        #expect(cache.get(Account.self, ids: list.ids(of: Account.self)).map(\.note) == ["N"])
        let byName = cache.store(try decode([String: ProfileResponse].self, #"{"a": {"id": "1", "note": "O"}}"#))
        #expect(byName.value?["a"]?.note == "O" && account()?.note == "O")
    }

    struct Mixed: Decodable {
        let patches: [Thumbnail]
        let pictures: [Picture]
        let more: [Thumbnail]
    }

    @Test("P2: Patches and whole entities of one identifier count in the order of the payload")
    func order() throws {
        let stored = cache.store(
            try decode(
                Mixed.self,
                """
                {"patches": [{"id": 1, "width": 10}, {"id": 2, "width": 20}],
                 "pictures": [{"id": 2, "address": "b"}, {"id": 3, "address": "c", "width": 30}, {"id": 4}],
                 "more": [{"id": 3, "width": 31}, {"id": 3, "width": 32}, {"id": 4, "width": 40}]}
                """
            )
        )
        #expect(cache.get(Picture.self, id: 1) == Picture(id: 1, address: "/1", width: 10))
        #expect(cache.get(Picture.self, id: 2) == Picture(id: 2, address: "b", width: 20))
        #expect(cache.get(Picture.self, id: 3) == Picture(id: 3, address: "c", width: 32))
        #expect(cache.get(Picture.self, id: 4) == Picture(id: 4, address: "/4", width: 40))
        #expect(stored.problems.map { $0.codingPath.map(\.stringValue).joined(separator: " ") } == ["pictures Index 2"])
    }

    @Test("A patch without a stored entity is a problem, and its siblings are stored")
    func nothingStored() throws {
        cache.set(Account(id: "2", name: "B"))
        let payload = try decode([ProfileResponse].self, #"[{"id": "1", "note": "N"}, {"id": "2", "note": "O"}]"#)
        #expect(payload.problems.isEmpty)
        let stored = cache.store(payload)
        #expect(
            stored.problems.map(\.description) == [
                "[0]: no Account with the identifier 1 is stored, and ProfileResponse.makeEntity() returns nil"
            ]
        )
        #expect(stored.problems.first?.key == Account.flatCacheKey(id: "1"))
        #expect(stored.problems.first.map { $0.type == ProfileResponse.self } == true)
        #expect(account() == nil && account("2")?.note == "O")
        #expect(throws: PayloadProblem.self) { try cache.store(payload, strict: true) }
    }

    @Test("A patch that makes an entity is applied to it, and changes it the next time")
    func makes() throws {
        let payload = try decode(CardResponse.self, #"{"id": "1", "name": "A"}"#)
        #expect(cache.store(payload).problems.isEmpty)
        #expect(account() == Account(id: "1", name: "A", visits: 1))
        cache.update(Account.self, id: "1") { $0.name = "B" }
        cache.store(payload)
        #expect(account() == Account(id: "1", name: "B", visits: 2))
        let unnamed = cache.store(try decode(CardResponse.self, #"{"id": "2"}"#))
        #expect(unnamed.problems.count == 1 && account("2") == nil)
    }

    @Test("Entities nested in a patch are stored in its commit, and the patched entity refers to them")
    func relationships() throws {
        let keys = [Account.flatCacheKey(id: "1"), Picture.flatCacheKey(id: 7), Picture.flatCacheKey(id: 8)]
        let notified = Mutex<[Int]>([])
        let subscription = cache.observe(keys, initial: false) { changes in
            notified.withLock { $0.append(changes.keys.count) }
        }
        let whole = #"{"id": "1", "name": "A", "picture": {"id": 7, "address": "a"}}"#
        cache.store(try decode(CardResponse.self, whole))
        #expect(account()?.pictureID == 7 && cache.get(Picture.self, id: 7) == Picture(id: 7, address: "a"))
        cache.store(try decode(CardResponse.self, #"{"id": "1", "thumbnail": {"id": 8, "width": 5}}"#))
        #expect(account()?.pictureID == 8 && cache.get(Picture.self, id: 8)?.width == 5)
        #expect(notified.withLock { $0 } == [2, 2])
        subscription.cancel()
    }

    @Test("A patch may contain patches of its own type")
    func recursion() throws {
        let friends = #"{"id": "1", "name": "A", "friends": [{"id": "2", "name": "B", "friends": [{"id": "3"}]}]}"#
        let stored = cache.store(try decode(CardResponse.self, friends))
        #expect(stored.ids(of: Account.self) == ["3", "2", "1"])
        #expect(cache.count(of: Account.self) == 2)
        let paths = stored.problems.map { $0.codingPath.map(\.stringValue) }
        #expect(paths == [["friends", "Index 0", "friends", "Index 0"]])
    }

    @Test("P1: A value that a patch can't read costs the patch, and not its siblings")
    func broken() throws {
        let payload = try decode(
            [CardResponse].self,
            """
            [{"id": "1", "name": "A", "picture": {"id": "x"}}, {"id": "2", "name": "B", "thumbnail": {"id": 1}},
             {"id": "3", "name": "C", "friends": [{"id": 4}, {"id": "5", "name": "E"}]}]
            """
        )
        #expect(payload.problems.map { $0.codingPath.first?.intValue } == [0, 1, 2])
        #expect(cache.store(payload).ids(of: Account.self) == ["5", "3"])
        #expect(cache.count(of: Account.self) == 2 && cache.count(of: Picture.self) == 0)
    }

    enum Item: Decodable, Sendable {
        case profile(ProfileResponse), thumbnail(Thumbnail), text(String)

        init(from decoder: any Decoder) throws {
            if let thumbnail = try? Thumbnail(from: decoder) {
                self = .thumbnail(thumbnail)
            } else if let profile = try? ProfileResponse(from: decoder) {
                self = .profile(profile)
            } else {
                self = .text(try decoder.singleValueContainer().decode(String.self))
            }
        }
    }

    struct WholeProfile: Decodable, EntityPatch {
        let profile: ProfileResponse
        let visits: Int?
        var id: String { profile.id }

        enum CodingKeys: CodingKey { case visits }

        init(from decoder: any Decoder) throws {
            profile = try ProfileResponse(from: decoder)
            visits = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .visits)
        }

        func apply(to account: inout Account) {
            profile.apply(to: &account)
            account.visits += visits ?? 0
        }

        func makeEntity() -> Account? { Account(id: id, name: "new") }
    }

    @Test("A patch that another value decodes from its own decoder is found, unless that is a patch itself")
    func escapes() throws {
        cache.set(Account(id: "1", name: "A"))
        let stored = cache.store(try decode([Item].self, #"[{"id": "1", "note": "N"}, {"id": 2, "width": 3}, "text"]"#))
        #expect(stored.problems.map(\.description) == [])
        #expect(stored.ids(of: Account.self) == ["1"] && stored.ids(of: Picture.self) == [2])
        let whole = cache.store(try decode(WholeProfile.self, #"{"id": "2", "note": "N", "visits": 3}"#))
        #expect(whole.problems.map(\.description) == [])
        #expect(account("2") == Account(id: "2", name: "new", note: "N", visits: 3))
    }

    /// An entity type that is also a patch of another type.
    struct Login: Cachable, Decodable, EntityPatch {
        let id: String
        func apply(to account: inout Account) { account.visits += 1 }
    }

    @Test("A patch type that is an entity type is stored by a payload, and applied if it is stored as a patch")
    func patchThatIsAnEntity() throws {
        cache.set(Account(id: "1", name: "A"))
        let stored = cache.store(try decode([Login].self, #"[{"id": "1"}]"#))
        #expect(stored.ids(of: Login.self) == ["1"] && cache.contains(Login.self, id: "1"))
        #expect(account()?.visits == 0)
        cache.store(Login(id: "1"))
        #expect(account()?.visits == 1)
    }

    @Test("An entity that was written or removed since the revision isn't patched")
    func since() throws {
        for id in ["1", "2", "3"] { cache.set(Account(id: id, name: "A")) }
        let revision = cache.revision()
        cache.update(Account.self, id: "1") { $0.visits = 5 }
        cache.remove(Account.self, id: "2")
        let json = #"[{"id": "1", "name": "B"}, {"id": "2", "name": "B"}, {"id": "3", "name": "B"}]"#
        cache.store(try decode([CardResponse].self, json), since: revision)
        #expect(account("1")?.visits == 5 && account("2") == nil && account("3")?.visits == 1)
        cache.store([Visit(id: "1"), Visit(id: "3")], since: revision)
        #expect(account("1")?.visits == 5 && account("3")?.visits == 1)
    }
}
