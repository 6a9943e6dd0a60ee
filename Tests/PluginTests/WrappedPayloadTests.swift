import FlatCache
import Foundation
import Testing

/// The generated tables of properties with wrappers, of computed identifiers, and of names with acronyms.
@Suite("Generated tables")
struct WrappedPayloadTests {
    private let cache = FlatCache()

    private func store<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ json: String,
        _ decoder: JSONDecoder = JSONDecoder()
    ) throws -> StoredPayload<Value> {
        let stored = cache.store(try decoder.decode(Payload<Value>.self, from: Data(json.utf8)))
        #expect(stored.problems.map(\.description) == [])
        return stored
    }

    // MARK: Relationships with wrappers

    private static let film = #""id": 1, "title": "T", "producerID": 1, "writerIDs": [1]"#

    @Test(
        "An omittable identifier accepts an entity, at its key and at the accessor's name",
        arguments: [
            (#""directorID": {"id": 6, "name": "A"}"#, true), (#""director": {"id": 6, "name": "A"}"#, true),
            (#""directorId": {"id": 6, "name": "A"}"#, true), (#""director": 6"#, false), (#""directorID": 6"#, false),
        ]
    )
    func omittable(member: String, isStored: Bool) throws {
        let film = try #require(try store(Film.self, "{\(Self.film), \(member)}").value)
        #expect(film.directorID == 6)
        #expect(cache.get(Maker.self, id: 6) == (isStored ? Maker(id: 6, name: "A") : nil))
        #expect(film.director(in: cache)?.name == (isStored ? "A" : nil))
        #expect(try store(Film.self, #"{"id": 1, "title": "U"}"#).value?.directorID == 6)
        #expect(try store(Film.self, #"{"id": 1, "director": null}"#).value?.directorID == nil)
    }

    @Test("Omittable identifiers accept entities", arguments: ["actorIDs", "actorIds", "actors"])
    func omittableArray(key: String) throws {
        let film = try #require(
            try store(Film.self, "{\(Self.film), \"\(key)\": [{\"id\": 2, \"name\": \"B\"}, 3, {\"id\": 4}]}").value
        )
        #expect(film.actorIDs == [2, 3, 4])
        #expect(cache.get(Maker.self, ids: [2, 4]) == [Maker(id: 2, name: "B"), Maker(id: 4)])
    }

    @Test("Identifiers in wrappers of the target accept entities", arguments: [true, false])
    func ownWrapper(isAtAccessor: Bool) throws {
        let (producer, writers) = isAtAccessor ? ("producer", "writers") : ("producerID", "writerIDs")
        let film = try #require(
            try store(
                Film.self,
                #"{"id": 1, "title": "T", "\#(producer)": {"id": 7}, "\#(writers)": [{"id": 8, "name": "C"}, 9]}"#
            ).value
        )
        #expect(film.producerID == 7 && film.writerIDs == [8, 9])
        #expect(cache.get(Maker.self, ids: [7, 8]) == [Maker(id: 7), Maker(id: 8, name: "C")])
    }

    @Test("The linkage of a document is read into wrappers")
    func linkage() throws {
        let json = """
            {"data": {"type": "films", "id": "1", "attributes": {"title": "T"}, "relationships": {
               "director": {"data": {"type": "makers", "id": "6"}},
               "actors": {"data": [{"type": "makers", "id": "2"}, {"type": "makers", "id": "6"}]},
               "producer": {"data": {"type": "makers", "id": "2"}},
               "writers": {"data": [{"type": "makers", "id": "6"}]}}},
             "included": [{"type": "makers", "id": "6", "attributes": {"name": "A"}}, {"type": "makers", "id": "2"}]}
            """
        let document = try JSONDecoder().decode(JSONAPI.Document<Film, Maker>.self, from: Data(json.utf8))
        let stored = cache.store(document)
        #expect(stored.problems.map(\.description) == [])
        let film = try #require(stored.value)
        #expect(film.directorID == 6 && film.actorIDs == [2, 6] && film.producerID == 2 && film.writerIDs == [6])
        #expect(film.director(in: cache) == Maker(id: 6, name: "A"))
    }

    // MARK: Entities without required properties, as the first ones of their type in the process

    @Test("The type of an omittable value is known before the first complete entity")
    func incompleteOmittable() throws {
        cache.set(Memo(id: 1, title: "T", note: "old", place: "P"))
        let stored = try store(Memo.self, #"{"id": 1, "note": "new"}"#)
        #expect(stored.value == Memo(id: 1, title: "T", note: "new", place: "P"))
        #expect(try store(Memo.self, #"{"id": 1, "note": null}"#).value?.note == nil)
        #expect(cache.get(Memo.self, id: 1)?.place == "P")
    }

    @Test("The type of a wrapper that is written or not generic is known before the first complete entity")
    func incompleteWrapped() throws {
        cache.set(Album(id: 1, title: "T", year: 1, guests: [], plays: 1))
        let json = #"{"id": 1, "year": 2, "guests": [{"id": 5, "name": "G"}, 0], "plays": 3}"#
        let guest = Maker(id: 5, name: "G")
        #expect(try store(Album.self, json).value == Album(id: 1, title: "T", year: 2, guests: [guest], plays: 3))
        #expect(cache.get(Maker.self, id: 5) == guest)
        #expect(try store(Album.self, #"{"id": 1, "title": "U"}"#).value?.year == 2)
    }

    @Test("The type of another wrapper is learnt from the first complete entity")
    func learntWrapper() throws {
        cache.set(Sketch(id: 1, title: "T", words: []))
        let json = #"{"id": 1, "words": ["a", 1]}"#
        #expect(throws: DecodingError.self) { try store(Sketch.self, json) }
        _ = try store(Sketch.self, #"{"id": 2, "title": "U", "words": []}"#)
        #expect(try store(Sketch.self, json).value?.words == ["a"])
    }

    // MARK: Computed identifiers

    @Test("An entity whose identifier is one property is merged, though it leaves out a required property")
    func computedIdentifier() throws {
        cache.set(Ticket(number: 1, title: "T"))
        #expect(
            try store(Ticket.self, #"{"number": 1, "note": "N"}"#).value == Ticket(number: 1, title: "T", note: "N")
        )
        cache.set(SecretTicket(number: 1, title: "T"))
        #expect(try store(SecretTicket.self, #"{"number": 1, "note": "N"}"#).value?.title == "T")
        #expect(cache.get(SecretTicket.self, id: 1)?.note == "N")
    }

    @Test("The property can be a relationship", arguments: [#""makerID": 3"#, #""maker": {"id": 3, "name": "M"}"#])
    func relatedIdentifier(member: String) throws {
        cache.set(Portrait(makerID: 3, title: "T"))
        let stored = try store(Portrait.self, "{\(member), \"note\": \"N\"}")
        #expect(stored.value == Portrait(makerID: 3, title: "T", note: "N"))
        #expect((cache.get(Maker.self, id: 3) != nil) == member.contains("name"))
    }

    @Test("An entity whose identifier is made of several properties isn't merged without one")
    func composedIdentifier() throws {
        cache.set(Seat(row: 1, place: 2))
        #expect(throws: DecodingError.self) { try store(Seat.self, #"{"row": 1, "note": "N"}"#) }
        #expect(try store(Seat.self, #"{"row": 1, "place": 2, "note": "N"}"#).value?.note == "N")
    }

    // MARK: Keys in snake case

    @Test(
        "A decoder that converts keys from snake case finds relationships with acronyms in their names",
        arguments: [
            #""main_url_author_id": 1, "sub_url_author_ids": [2], "top_html_writer": 3"#,
            #""main_url_author": {"id": 1}, "sub_url_authors": [{"id": 2}], "top_html_writer": {"id": 3}"#,
            #""main_url_author_id": {"id": 1}, "sub_url_author_i_ds": [2], "writer": {"id": 3}"#,
        ]
    )
    func snakeCase(members: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let channel = try #require(try store(Channel.self, "{\"id\": 1, \(members)}", decoder).value)
        #expect(channel.mainURLAuthorID == 1 && channel.subURLAuthorIDs == [2] && channel.writer == 3)
        let entities = members.split(separator: "{").count - 1
        #expect(cache.count(of: Maker.self) == entities)
    }
}
