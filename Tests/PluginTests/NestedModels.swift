import FlatCache

/// An entity without an annotation, with values in all places that refer to messages.
struct Board: Cachable, Equatable {
    let id: Int
    var poll: Poll?
    var polls: [Poll] = []
    var named: [String: Poll] = [:]
    var chosen: Set<Poll>?
    var rows: [[Poll?]] = []
    var pages: [String: [Poll]]?
    var frame = Frame()
    var thread: Thread?
    private(set) var sealed: Poll?
    private var secret: Poll?
    lazy var computed = Poll()
    var first: Poll? { polls.first }
    static let none = Poll()
    let left, right: Poll?
    @Kept var kept: Poll? = nil

    init(id: Int, left: Poll? = nil, right: Poll? = nil) {
        (self.id, self.left, self.right) = (id, left, right)
    }

    mutating func hide(_ poll: Poll) { secret = poll }
}

/// A value with a relationship.
struct Poll: Hashable {
    // relationship: Message
    var optionIDs: [Message.ID] = []
}

/// A value without an annotation, which holds values with relationships two levels deep.
struct Frame: Hashable {
    var inner: Inner?

    struct Inner: Hashable {
        var poll: Poll?
        var frames: [Frame] = []
    }
}

/// A value that contains others of its type.
indirect enum Thread: Hashable, Sendable {
    // relationship: Message
    case message(Message.ID)
    case answers([Thread])
    case pair(Poll, second: Thread?)
    case closed
}

/// A value with a relationship that contains others of its type, and an entity by value.
struct Remark: Cachable, Equatable {
    let id: Int
    // relationship: Message
    var messageID: Message.ID?
    // relationship: Person, name: readers
    var readerIDs: [Person.ID] = []
    var answers: [Remark] = []
    #if canImport(FlatCache)
    // relationship: Message
    var mentionedMessageIDs: [String: Message.ID] = [:]
    var quoted: Archive.Origin?
    #endif
}

/// An entity with a list of its own, because other files can't read its property.
struct Envelope: Cachable, Equatable {
    let id: Int
    private var poll: Poll?

    init(id: Int, poll: Poll?) { (self.id, self.poll) = (id, poll) }
}

extension Envelope: RelationshipOwner {
    struct Relationships: Sendable {}
    static var relationships: Relationships { Relationships() }
    static var allRelationships: [FlatCache.AnyRelationship<Envelope>] { [.init(within: { $0.poll })] }
}

@propertyWrapper
struct Kept<Value: Hashable & Sendable>: Hashable, Sendable {
    var wrappedValue: Value
}
