import Testing

@testable import FlatCache

/// An entity with a property that isn't encoded.
private struct OpenToot: Cachable, Codable, Equatable {
    let id: Int
    var text = ""
    var likes = 0
    var isOpen = false

    private enum CodingKeys: CodingKey { case id, text, likes }

    init(id: Int, text: String = "", likes: Int = 0, isOpen: Bool = false) {
        (self.id, self.text, self.likes, self.isOpen) = (id, text, likes, isOpen)
    }
}

/// Entities whose members can't be copied one by one, and that others write while a mutation is sent.
@Suite("Mutations of entities that are written as a whole")
struct WholeEntityTests {
    private let cache = FlatCache()

    @Test("A change is made to the entity of others, with an answer or without", arguments: [true, false])
    func otherMember(hasAnswer: Bool) async throws {
        cache.set(PlainToot(id: 1))
        let (text, server) = ("mine", hasAnswer ? PlainToot(id: 1, text: "mine") : nil)
        try await mutate(PlainToot.self, { $0.text = text }, server) { $0.likes = 5 }
        #expect(cache.get(PlainToot.self, id: 1) == PlainToot(id: 1, text: "mine", likes: 5))
    }

    @Test("A property that isn't encoded is kept", arguments: [true, false])
    func uncoded(hasAnswer: Bool) async throws {
        cache.set(OpenToot(id: 1))
        try await mutate(OpenToot.self, { $0.text = "mine" }, hasAnswer ? OpenToot(id: 1, text: "mine") : nil) {
            $0.isOpen = true
            $0.likes = 5
        }
        #expect(cache.get(OpenToot.self, id: 1) == OpenToot(id: 1, text: "mine", likes: 5, isOpen: true))
    }

    @Test("What others have written is changed again if the change writes it, too")
    func sameMember() async throws {
        cache.set(PlainToot(id: 1, likes: 10))
        try await mutate(PlainToot.self, { $0.likes += 1 }, nil) { $0.likes = 11 }
        #expect(cache.get(PlainToot.self, id: 1)?.likes == 11, "they have written all that it changes")
        try await mutate(PlainToot.self, { ($0.likes, $0.text) = ($0.likes + 1, "mine") }, nil) { $0.likes = 20 }
        #expect(cache.get(PlainToot.self, id: 1) == PlainToot(id: 1, text: "mine", likes: 21))
    }

    private func mutate<Value: Cachable>(
        _ type: Value.Type,
        _ change: @escaping @Sendable (inout Value) -> Void,
        _ server: Value?,
        others: @Sendable (inout Value) -> Void
    ) async throws where Value.ID == Int {
        let answer = ManualAnswer<Void>()
        if let server {
            let mutation = cache.mutate(Value.self, id: 1, change) {
                try await answer()
                return server
            }
            await answer.hasBegun()
            cache.update(Value.self, id: 1, others)
            answer.succeed()
            _ = try await mutation.value
        } else {
            let mutation = cache.mutate(Value.self, id: 1, change) { try await answer() }
            await answer.hasBegun()
            cache.update(Value.self, id: 1, others)
            answer.succeed()
            try await mutation.value
        }
    }
}
