public import FlatCache
public import People

public struct Post: Cachable {
    public let id: String
    // relationship: People.Person
    public var authorID: Int
    // relationship: People.Person - everyone who may change it
    public let editorIDs: [Person.ID]
    // relationship: Reader
    public var readerID: Int?
    // relationship: People.Badge
    package var badgeID: String?
    // relationship: Draft
    public var draftIDs: [String] = []
    public init(id: String, authorID: Int, editorIDs: [Int]) {
        self.id = id
        self.authorID = authorID
        self.editorIDs = editorIDs
    }
}

struct Draft: Entity {
    let id: String
    // relationship: People.Person
    var authorID: Int
}
