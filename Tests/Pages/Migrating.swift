import FlatCache
import FlatCacheStore
import Foundation

struct Server: Sendable {
    func posts() async throws -> Data { leftOut() }
    func like(_ id: String) async throws {}
    func send(_ query: String) async throws -> Data { leftOut() }
}

struct OldCache {
    func save(_ author: Author) {}
    func remove(_ author: Author) {}
}

let server = Server()
func add(_ likes: Int, to id: Post.ID) async throws {}
let old = OldCache()
var database: DatabaseQueue { leftOut() }

// What Xcode generates from a model.

class ManagedPost: NSManagedObject {
    var id: String?
    var title: String?
    var likes: Int64 = 0
    var date: Date?
    var author: ManagedAuthor?
}

class ManagedAuthor: NSManagedObject {
    var id: String?
    var name: String?
}

// The declarations of Core Data that the page uses, with the annotations of the SDK of iOS 26. `any NSFetchRequestResult`
// conforms to itself only with Objective-C, so the controller doesn't require it.

protocol NSFetchRequestResult: NSObjectProtocol {}

class NSManagedObject: NSObject, NSFetchRequestResult {
    init(context moc: NSManagedObjectContext) {}
}

class NSManagedObjectContext: NSObject, @unchecked Sendable {
    enum ScheduledTaskType { case immediate, enqueued }

    var automaticallyMergesChangesFromParent = false
    func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] { leftOut() }
    func save() throws {}
    func rollback() {}
    func perform<T>(
        schedule: ScheduledTaskType = .immediate,
        _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T { leftOut() }
}

class NSPersistentContainer: NSObject, @unchecked Sendable {
    init(name: String) {}
    var viewContext: NSManagedObjectContext { leftOut() }
    func newBackgroundContext() -> NSManagedObjectContext { leftOut() }
}

class NSFetchRequest<ResultType: NSFetchRequestResult>: NSObject {
    init(entityName: String) {}
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor]?
    var fetchLimit = 0
    var relationshipKeyPathsForPrefetching: [String]?
}

class NSFetchedResultsController<ResultType>: NSObject {
    init(
        fetchRequest: NSFetchRequest<ResultType>,
        managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?,
        cacheName name: String?
    ) where ResultType: NSFetchRequestResult {}
    weak var delegate: (any NSFetchedResultsControllerDelegate)?
    var fetchedObjects: [ResultType]? { leftOut() }
    func performFetch() throws {}
}

protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
}

class NSPredicate: NSObject {
    init(format predicateFormat: String, _ args: Any...) {}
}

class NSSortDescriptor: NSObject {
    init(key: String?, ascending: Bool) {}
}

// The declarations of RealmSwift that the page uses.

class Object {
    required init() {}
}

@propertyWrapper struct Persisted<Value> {
    init() {}
    init(primaryKey: Bool) {}
    init(indexed: Bool) {}
    var wrappedValue: Value {
        get { leftOut() }
        nonmutating set {}
    }
}

extension Persisted: Decodable where Value: Decodable {
    init(from decoder: any Decoder) throws {}
}

struct Realm {
    enum UpdatePolicy { case error, modified, all }

    init(queue: DispatchQueue? = nil) throws {}
    func objects<Element: Object>(_ type: Element.Type) -> Results<Element> { leftOut() }
    func object<Element: Object, Key>(ofType type: Element.Type, forPrimaryKey key: Key) -> Element? { leftOut() }
    func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Iterator.Element: Object {}
    @discardableResult func asyncWrite<Result>(
        _isolation actor: isolated any Actor = #isolation,
        _ block: (() throws -> Result)
    ) async throws -> Result { leftOut() }
}

struct Results<Element: Object>: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { 0 }
    subscript(position: Int) -> Element { leftOut() }
    func sorted<T>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element> { leftOut() }
    func observe(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
    ) -> NotificationToken { leftOut() }
}

enum RealmCollectionChange<CollectionType> {
    case initial(CollectionType)
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    case error(any Error)
}

class NotificationToken {
    func invalidate() {}
}

// The declarations of GRDB 7 that the page uses.

protocol FetchableRecord {}
protocol PersistableRecord: Encodable {}

extension FetchableRecord {
    static func fetchAll(_ db: Database) throws -> [Self] { leftOut() }
}

extension PersistableRecord {
    func upsert(_ db: Database) throws {}
}

protocol DatabaseValueConvertible {}
extension Int: DatabaseValueConvertible {}
extension String: DatabaseValueConvertible {}

extension DatabaseValueConvertible {
    static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> [Self] { leftOut() }
}

struct StatementArguments: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {}
}

final class Database {
    struct ColumnType {
        static let text = ColumnType()
        static let integer = ColumnType()
        static let datetime = ColumnType()
    }

    struct TableOptions: OptionSet {
        let rawValue: Int
    }

    func create(table name: String, options: TableOptions = [], body: (TableDefinition) throws -> Void) throws {}
    func execute(sql: String, arguments: StatementArguments = []) throws {}
}

final class TableDefinition {
    @discardableResult func primaryKey(_ name: String, _ type: Database.ColumnType) -> ColumnDefinition { leftOut() }
    @discardableResult func column(_ name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition { leftOut() }
}

final class ColumnDefinition {
    @discardableResult func notNull() -> Self { self }
    @discardableResult func indexed() -> Self { self }
    @discardableResult func references(_ table: String) -> Self { self }
}

struct DatabaseMigrator {
    mutating func registerMigration(
        _ identifier: String,
        migrate: @escaping @Sendable (Database) throws -> Void
    ) {}
    func migrate(_ writer: any DatabaseWriter) throws {}
}

protocol DatabaseReader: AnyObject, Sendable {}
protocol DatabaseWriter: DatabaseReader {}

final class DatabaseQueue: DatabaseWriter {
    init(path: String) throws {}
    func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T { leftOut() }
    func write<T: Sendable>(_ updates: @Sendable (Database) throws -> T) async throws -> T { leftOut() }
}

protocol ValueReducer<Value> {
    associatedtype Value: Sendable
}

enum ValueReducers {
    struct Fetch<Value: Sendable>: ValueReducer {}
    struct RemoveDuplicates<Base: ValueReducer>: ValueReducer {
        typealias Value = Base.Value
    }
}

struct ValueObservation<Reducer> {
    static func tracking<Value>(_ fetch: @escaping @Sendable (Database) throws -> Value) -> Self
    where Reducer == ValueReducers.Fetch<Value> { leftOut() }

    func removeDuplicates() -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>>
    where Reducer: ValueReducer, Reducer.Value: Equatable { leftOut() }

    @MainActor func start(
        in reader: any DatabaseReader,
        scheduling scheduler: some ValueObservationMainActorScheduler,
        onError: @escaping @MainActor (any Error) -> Void,
        onChange: @escaping @MainActor (Reducer.Value) -> Void
    ) -> AnyDatabaseCancellable where Reducer: ValueReducer { leftOut() }
}

protocol ValueObservationMainActorScheduler {}
struct ImmediateValueObservationScheduler: ValueObservationMainActorScheduler {}

extension ValueObservationMainActorScheduler where Self == ImmediateValueObservationScheduler {
    static var immediate: Self { Self() }
}

class AnyDatabaseCancellable {
    func cancel() {}
}

// The declarations of Apollo iOS 2 that the page uses.

protocol GraphQLOperation: Sendable {
    associatedtype Data: Sendable
}

protocol GraphQLQuery: GraphQLOperation {}
protocol GraphQLMutation: GraphQLOperation {}
protocol MutableRootSelectionSet: Sendable {}

struct GraphQLError: Error {}

struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
    let data: Operation.Data?
    let errors: [GraphQLError]?
}

enum CachePolicy {
    enum Query {
        enum SingleResponse { case cacheFirst, networkFirst, networkOnly }
    }
}

struct RequestConfiguration: Sendable {
    init(requestTimeout: TimeInterval? = nil, writeResultsToCache: Bool = true) {}
}

actor GraphQLQueryWatcher<Query: GraphQLQuery> {
    typealias ResultHandler = @Sendable (Result<GraphQLResponse<Query>, any Error>) -> Void
    nonisolated func cancel() {}
}

final class ApolloClient: Sendable {
    let store = ApolloStore()

    func fetch<Query: GraphQLQuery>(
        query: Query,
        cachePolicy: CachePolicy.Query.SingleResponse,
        requestConfiguration: RequestConfiguration? = nil
    ) async throws -> GraphQLResponse<Query> { leftOut() }

    func watch<Query: GraphQLQuery>(
        query: Query,
        cachePolicy: CachePolicy.Query.SingleResponse,
        requestConfiguration: RequestConfiguration? = nil,
        refetchOnFailedUpdates: Bool = true,
        resultHandler: @escaping GraphQLQueryWatcher<Query>.ResultHandler
    ) async -> GraphQLQueryWatcher<Query> { leftOut() }

    func perform<Mutation: GraphQLMutation>(
        mutation: Mutation,
        requestConfiguration: RequestConfiguration? = nil
    ) async throws -> GraphQLResponse<Mutation> { leftOut() }
}

final class ApolloStore: Sendable {
    class ReadTransaction {}

    final class ReadWriteTransaction: ReadTransaction {
        func updateObject<SelectionSet: MutableRootSelectionSet>(
            ofType type: SelectionSet.Type,
            withKey key: String,
            _ body: (inout SelectionSet) throws -> Void
        ) async throws {}
    }

    func withinReadWriteTransaction<T: Sendable>(
        _ body: @Sendable @escaping (ReadWriteTransaction) async throws -> T
    ) async throws -> T { leftOut() }
}

// What Apollo generates from the page's operations.

struct PostsQuery: GraphQLQuery {
    struct Data {
        struct Item {
            struct Writer { let id, name: String }
            let id, title, date: String
            let likes: Int
            let author: Writer
        }
        let posts: [Item]
    }
}

struct LikeMutation: GraphQLMutation {
    struct Data {}
    let id: String
}

struct PostLikes: MutableRootSelectionSet {
    var likes: Int
}
