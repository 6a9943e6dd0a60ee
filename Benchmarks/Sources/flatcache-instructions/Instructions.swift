import FlatCache
import Foundation

/// Does one operation on the same entities as often as it is told to, and nothing else that depends on how often.
///
///     flatcache-instructions get 20000
///
/// The script `instructions` has the processor's instructions counted while this program runs.
@main
enum Instructions {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard
            arguments.count == 2,
            let operation = arguments.first.flatMap(Operation.init),
            let count = arguments.last.flatMap({ Int($0) }), count >= 0
        else {
            let operations = Operation.allCases.map(\.rawValue).joined(separator: "|")
            FileHandle.standardError.write(Data("Usage: flatcache-instructions \(operations) COUNT\n".utf8))
            exit(EX_USAGE)
        }
        operation.run(count)
    }
}

/// What can be counted.
enum Operation: String, CaseIterable {
    /// A read of a stored entity by its identifier.
    case get
    /// A read of an entity that isn't stored.
    case miss
    /// A write that changes an entity nobody observes.
    case set
    /// A write that changes an entity nobody observes, in a batch of a hundred.
    case batch
    /// A change in place of an entity nobody observes.
    case update
    /// A read of one field by identifier.
    case field
    /// A removal, and the insertion of the removed entity.
    case remove
    /// A read of a stored entity through a handle.
    case handle
    /// A write that changes an entity with one observer.
    case notify
    /// A read that Observation would hear of, if anybody tracked.
    case tracked
    /// What a generated accessor does, in the shared cache and where no other was ever the current one.
    case accessor
    /// A write that changes one of ten entities that an observer has read, who reads all of them again.
    case derive
    /// A write that changes the only entity that an observed closure reads.
    case deriveOne = "derive/one"
    /// A fetch of a missing entity that ten tasks ask for.
    case fetch
    /// An entity at the end of a list of about a hundred.
    case list
    /// A write that changes an entity in a transaction of a hundred.
    case transaction
    /// A write that changes an entity of a type with an observer of all changes.
    case changes
    /// A write that changes an entity that a live query doesn't find.
    case others
    /// A write that changes an entity that a live query finds, and its place.
    case query
    /// A write that changes an entity of an observed list of all.
    case listed
    /// A write that is merged with the stored entity, which is older.
    case merge
    /// A write that changes an entity of an indexed type, but not its key.
    case indexed
    /// A write that changes the key of an entity of an indexed type.
    case move
    /// A write that inserts an entity into a type at its limit, and the eviction of another one.
    case limitSet = "limit/set"
    /// A change that is shown before it is sent, and dropped.
    case mutate
    /// A write that changes an entity with a pending change.
    case rebase
    /// A write that changes an entity for the first time since a store has taken the changes.
    case storeSet = "store/set"
    /// A read of an entity that a store keeps.
    case storeGet = "store/get"
    /// Messages that are stored in a cache, and made records of.
    case storeEncode = "store/encode"
    /// Messages that are made of records, and stored in a new cache.
    case storeDecode = "store/decode"
    /// The same operations on a dictionary behind a lock.
    case dictionaryGet = "dictionary/get"
    case dictionaryField = "dictionary/field"
    case dictionarySet = "dictionary/set"
    case dictionaryUpdate = "dictionary/update"
    case dictionaryBatch = "dictionary/batch"
    case dictionaryRemove = "dictionary/remove"
    /// A fetch that ten tasks ask an actor for, which keeps the running tasks in a dictionary.
    case dictionaryFetch = "dictionary/fetch"
    /// A write of one of 100 entities, beside others.
    case growthAlone = "growth/alone"
    /// The same with a live query that finds the 100.
    case growthMatching = "growth/matching"
    /// A write of one of 200 entities, beside others.
    case growthManyAlone = "growth/many-alone"
    /// The same with a live query for the first 100 of all entities, of which half are among the 200.
    case growthLimited = "growth/limited"
    /// An insertion that begins in a list with pending insertions, and is dropped.
    case growthInsertions = "growth/insertions"
    /// Messages with nested senders, decoded as a payload.
    case nested = "payload/nested"
    /// The same, and stored in an empty cache.
    case nestedStored = "payload/nested/stored"
    /// The same response, decoded into plain structures.
    case nestedPlain = "payload/nested/plain"
    /// Messages without their optional properties, decoded as a payload.
    case partial = "payload/partial"
    /// The same, and stored over messages that have the properties.
    case partialStored = "payload/partial/stored"
    /// The same response, decoded into plain structures.
    case partialPlain = "payload/partial/plain"
    /// Messages by identifier and an array of members, decoded as a flat payload.
    case flat = "payload/flat"
    /// The same, and stored in an empty cache.
    case flatStored = "payload/flat/stored"
    /// The same response, decoded into plain structures.
    case flatPlain = "payload/flat/plain"
    /// Messages and members in a JSON:API document.
    case document = "payload/jsonapi"
    /// The same, and stored in an empty cache.
    case documentStored = "payload/jsonapi/stored"
    /// The same response, decoded into plain structures.
    case documentPlain = "payload/jsonapi/plain"
}

extension Operation {
    func run(_ count: Int) {
        lazy var work = Work(count)
        lazy var dictionary = DictionaryWork(count)
        lazy var payloads = PayloadWork(count)
        lazy var growth = GrowthWork(count)
        lazy var store = StoreWork(count)
        switch self {
        case .get: work.get()
        case .miss: work.miss()
        case .set: work.set()
        case .batch: work.batch()
        case .update: work.update()
        case .field: work.field()
        case .remove: work.remove()
        case .handle: work.handle()
        case .notify: work.notify()
        case .tracked: work.tracked()
        case .accessor: work.accessor()
        case .derive: work.derive()
        case .deriveOne: work.deriveOne()
        case .fetch: work.fetch()
        case .list: work.list()
        case .transaction: work.transaction()
        case .changes: work.changes()
        case .others: work.others()
        case .query: work.query()
        case .listed: work.listed()
        case .merge: work.merge()
        case .indexed: work.indexed()
        case .move: work.move()
        case .limitSet: work.limitSet()
        case .mutate: work.mutate()
        case .rebase: work.rebase()
        case .storeSet: store.set()
        case .storeGet: store.get()
        case .storeEncode: store.encode()
        case .storeDecode: store.decode()
        case .dictionaryGet: dictionary.get()
        case .dictionaryField: dictionary.field()
        case .dictionarySet: dictionary.set()
        case .dictionaryUpdate: dictionary.update()
        case .dictionaryBatch: dictionary.batch()
        case .dictionaryRemove: dictionary.remove()
        case .dictionaryFetch: dictionary.fetch()
        case .growthAlone: growth.alone()
        case .growthMatching: growth.matching()
        case .growthManyAlone: growth.manyAlone()
        case .growthLimited: growth.limited()
        case .growthInsertions: GrowingInsertions(count).run()
        case .nested: payloads.nested()
        case .nestedStored: payloads.nestedStored()
        case .nestedPlain: payloads.nestedPlain()
        case .partial: payloads.partial()
        case .partialStored: payloads.partialStored()
        case .partialPlain: payloads.partialPlain()
        case .flat: payloads.flat()
        case .flatStored: payloads.flatStored()
        case .flatPlain: payloads.flatPlain()
        case .document: payloads.document()
        case .documentStored: payloads.documentStored()
        case .documentPlain: payloads.documentPlain()
        }
    }
}
