import Foundation
import Testing

@testable import FlatCacheStore

/// A migration changes members by their names.
@Suite struct StoredMembersTests {
    private let coding = Coding()

    private func members(of value: some Encodable) throws -> StoredMembers {
        try StoredMembers(coding.record(of: value)[...], shapes: coding.encoder.shapes)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from members: StoredMembers) throws -> Value {
        try RecordDecoder(shapes: coding.encoder.shapes).decode(type, from: members)
    }

    @Test("Members are read by name, without nil ones")
    func reading() throws {
        let members = try members(of: VersionB(text: "x", id: 1, language: nil, title: "t"))
        #expect(members.names == ["text", "id", "title"])
        #expect(members.contains("id") && !members.contains("language"))
        #expect(try members["id", as: Int.self] == 1)
        #expect(try members["language", as: String.self] == nil)
        #expect(try members["none", as: [Int].self] == nil)
        #expect(throws: DecodingError.self) { try members["id", as: String.self] }
    }

    @Test("Members that are renamed, set and removed give the new version")
    func changing() throws {
        var members = try members(of: VersionA(id: 1, title: "t", likes: 5, text: "x"))
        members.rename("text", to: "content")
        members.rename("none", to: "title")
        members.rename("id", to: "id")
        try members.set("likes", to: ["a": Float(5)])
        try members.set("created", to: Date(timeIntervalSinceReferenceDate: 0.1))
        members.remove("title")
        members.remove("none")
        #expect(members.names == ["id", "likes", "content", "created"])
        let decoded = try decode(NewVersion.self, from: members)
        let created = Date(timeIntervalSinceReferenceDate: 0.1)
        #expect(decoded == NewVersion(id: 1, likes: ["a": 5], content: "x", created: created))
    }

    @Test("A member replaces another if it gets its name")
    func replacing() throws {
        var members = try members(of: VersionA(id: 1, title: "t", likes: 5, text: "x"))
        members.rename("text", to: "title")
        #expect(members.names == ["id", "likes", "title"])
        #expect(try members["title", as: String.self] == "x")
        try members.set("title", to: Int?.none)
        #expect(members.contains("title"))
        #expect(try members["title", as: String.self] == nil)
    }

    @Test("Nested members are changed in an object and in all elements of arrays")
    func nested() throws {
        let old = ["post": [OldPost(author: .init(name: "a"), parts: [[.init(name: "b")], [], [.init(name: "c")]])]]
        var members = try members(of: old)
        try members.update("post") { post in
            try post.update("author") { $0.rename("name", to: "text") }
            try post.update("parts") { part in
                part.rename("name", to: "text")
                try part.set("size", to: 2)
            }
            try post.update("none") { _ in Issue.record("There is no such member") }
        }
        let text = try RecordText.json(members.record[...], shapes: coding.encoder.shapes)
        #expect(
            text == #"{"post":[{"author":{"text":"a"},"parts":[[{"text":"b","size":2}],[],[{"text":"c","size":2}]]}]}"#
        )
    }

    @Test("A failed change of nested members changes nothing")
    func failing() throws {
        var members = try members(of: ["a": [OldPost.Part(name: "x"), OldPost.Part(name: "y")]])
        let before = members.record
        #expect(throws: Unencodable.self) {
            try members.update("a") { part in
                part.remove("name")
                throw Unencodable()
            }
        }
        #expect(throws: Unencodable.self) { try members.set("a", to: Failing()) }
        try members.update("none") { $0.remove("name") }
        #expect(members.record == before)
    }

    @Test("A record without members is an error")
    func wrong() throws {
        #expect(throws: DecodingError.self) { try members(of: [1, 2]) }
        #expect(throws: DecodingError.self) { try StoredMembers([], shapes: ShapeTable()) }
    }
}

private struct OldPost: Encodable {
    struct Part: Encodable {
        var name: String
    }

    var author: Part
    var parts: [[Part]]
}

private struct NewVersion: Decodable, Equatable {
    var id: Int
    var likes: [String: Double]
    var content: String
    var created: Date
}
