import Foundation

@testable import FlatCache

/// A value of a public type, in a state, with the line that it is printed as.
struct PrintedValue: Sendable {
    /// The name of the type in `.ci/api.txt`.
    let type: String
    /// The line, in which `T.` stands for the module of the tests.
    let line: String
    let make: @Sendable (FlatCache) async throws -> Any

    init(_ type: String, _ line: String, _ make: @escaping @Sendable (FlatCache) async throws -> Any) {
        self.type = type
        self.line = line.replacing(/\bT\./, with: String(reflecting: Self.self).prefix { $0 != "." } + ".")
        self.make = make
    }

    static let all = storage + lists + queries + changes + mutations + payloads + documents + fetching + declarations

    private static let storage: [PrintedValue] = [
        PrintedValue("FlatCache", "FlatCache: 4 entities of 2 types") { $0 },
        PrintedValue("FlatCache", "FlatCache: 0 entities") { _ in FlatCache() },
        PrintedValue("FlatCache", "FlatCache: 1,205 entities of 2 types") { cache in
            cache.set(contentsOf: (0..<1_204).map { Toast(id: "\($0)") })
            return cache
        },
        PrintedValue("FlatCacheKey", #"T.Toast("1")"#) { _ in Toast.flatCacheKey(id: "1") },
        PrintedValue("Cached", #"Cached<T.Toast("1")>"#) { Cached(Toast.self, id: "1", in: $0) },
        PrintedValue("CacheRevision", "CacheRevision: 5") { $0.revision() },
        PrintedValue("FlatCache.CollectionResult", "FlatCache.CollectionResult: 0 entities, 0 bytes") { _ in
            FlatCache().collect()
        },
        PrintedValue("FlatCache.EvictionLimit", "cost(3)") { _ in FlatCache.EvictionLimit.cost(3) },
        PrintedValue(
            "FlatCache.Inconsistency",
            #"T.Twin("0") refers to T.Twin("1") in 'otherID', but 'otherID' of T.Twin("1") doesn't refer back"#
        ) { cache in
            cache.set(Twin(id: "0", otherID: "1"))
            cache.set(Twin(id: "1"))
            return cache.inconsistencies()[0]
        },
        PrintedValue("FlatCache.Origin", "server") { _ in FlatCache.Origin.server },
        PrintedValue(
            "FlatCache.OriginError",
            """
            A transaction names the origin 'a' inside of a transaction with the origin 'b'. Both are one commit, \
            which has one origin. Name it at the outermost transaction, by 'cache.transaction(origin:)', and omit \
            it at the inner one
            """
        ) { cache in
            try cache.error {
                try cache.transaction(origin: .init("b")) { try cache.transaction(origin: .init("a")) {} }
            }
        },
        PrintedValue(
            "FlatCache.SharedCacheError",
            """
            The shared cache was already used, so it can't be another one. Call 'FlatCache.setShared' before \
            anything reads or writes through accessors, 'FlatCache.shared' or 'FlatCache.current', such as at the \
            beginning of 'main'
            """
        ) { cache in
            _ = FlatCache.shared
            return try cache.error { try FlatCache.setShared(cache) }
        },
        PrintedValue(
            "FlatCache.Statistics.TypeStatistics",
            """
            T.Cook: 1,204 entities, 96,320 bytes, limit 1,000, 204 above it, 1 eviction, 0 held, 1 observer, 0 \
            dangling identifiers
            """
        ) { _ in
            FlatCache.Statistics.TypeStatistics(
                type: Cook.self,
                count: 1_204,
                bytes: 96_320,
                observers: 1,
                held: 0,
                limit: .count(1_000),
                excess: 204,
                evictions: 1,
                dangling: 0,
                isComplete: true
            )
        },
        PrintedValue(
            "HandleError",
            #"""
            The handle of T.Toast("1") can't store T.Toast("2"). Store it by 'cache.set(_:)', and make a handle of \#
            its own for it with 'Cached(_:in:)'
            """#
        ) { cache in
            try cache.error { try Cached(Toast.self, id: "1", in: cache).set(Toast(id: "2")) }
        },
    ]

    private static let lists: [PrintedValue] = [
        PrintedValue("CachedList", #"CachedList<T.Toast>("home"): 3 entities"#) { $0.list("home", of: Toast.self) },
        PrintedValue("CachedList", #"CachedList<T.Toast>("a\nb"): 0 entities"#) { $0.list("a\nb", of: Toast.self) },
        PrintedValue("CachedList", #"CachedList<T.Toast>("home"): the cache is deallocated"#) { _ in
            FlatCache().list("home", of: Toast.self)
        },
        PrintedValue("CachedListIDs", #"["1", "2", "9"]"#) { $0.list("home", of: Toast.self).ids },
        PrintedValue("CachedListState", "CachedListState<T.Toast>: 3 entities") {
            $0.list("home", of: Toast.self).state
        },
        PrintedValue("CachedReference", #"CachedReference<T.Cook>("me"): nothing"#) {
            $0.reference("me", of: Cook.self)
        },
        PrintedValue("CachedReference", #"CachedReference<T.Cook>("me"): "7""#) { cache in
            let reference = cache.reference("me", of: Cook.self)
            reference.id = "7"
            return reference
        },
        PrintedValue("ListError", "The list 'other' has no loader. Call 'setLoader' before it is loaded") { _ in
            ListError.noLoader("other")
        },
        PrintedValue("ListJoining", "insertAbove") { _ in ListJoining.insertAbove },
        PrintedValue("ListPage", #"ListPage<T.Toast>: 1 entity of 1 type, next "b", previous "a""#) { _ in
            ListPage([Toast(id: "1")], next: "b", previous: "a")
        },
        PrintedValue("ListPageRequest", #"after("b")"#) { _ in ListPageRequest<Toast, String>.after("b") },
    ]

    private static let queries: [PrintedValue] = [
        PrintedValue("FlatCache.Query", "FlatCache.Query<T.Toast>") { _ in FlatCache.Query(Toast.self) },
        PrintedValue(
            "FlatCache.Query",
            #"""
            FlatCache.Query<T.Toast>: \Toast.hostID == "7", \Toast.likes in 3..<5, \Toast.title has prefix "To", \#
            closure
            """#
        ) { _ in
            FlatCache.Query(Toast.self).filter(\.hostID, equals: "7").filter(\.likes, in: 3..<5)
                .filter(\.title, hasPrefix: "To").filter { $0.likes > 3 }
        },
        PrintedValue(
            "FlatCache.Query",
            #"""
            FlatCache.Query<T.Toast>: \Toast.cookIDs contains "a", \Toast.likes in [3, 5], closure "loud", \#
            \Toast.<computed> == 6
            """#
        ) { _ in
            FlatCache.Query(Toast.self).filter(\.cookIDs, contains: "a").filter(\.likes, in: [3, 5])
                .filter(id: "loud") { $0.likes > 3 }.filter(\.titleLength, equals: 6)
        },
        PrintedValue(
            "FlatCache.Query",
            #"""
            FlatCache.Query<T.Toast>: sorted by \Toast.likes descending, sorted by \Toast.hostID, nils first, \#
            offset 2, limit 20
            """#
        ) { _ in
            FlatCache.Query(Toast.self).sorted(by: \.likes, .descending).sorted(by: \.hostID, nils: .first)
                .offset(2).limit(20)
        },
        PrintedValue("FlatCache.Query.NilPlacement", "last") { _ in FlatCache.Query<Toast>.NilPlacement.last },
        PrintedValue("FlatCache.Query.Order", "descending") { _ in FlatCache.Query<Toast>.Order.descending },
        PrintedValue("CachedQuery", #"CachedQuery<T.Toast>: \Toast.likes in 4..., limit 20"#) { $0.query(.popular) },
        PrintedValue(
            "CachedAggregate",
            #"CachedAggregate<T.Toast>: sum of \Toast.likes, \Toast.likes in 4..., limit 20"#
        ) {
            $0.query(.popular).sum(of: \.likes)
        },
        PrintedValue("CachedGroups", #"CachedGroups<T.Toast>: by \Toast.hostID, \Toast.likes in 4..., limit 20"#) {
            $0.query(.popular).grouped(by: \.hostID)
        },
        PrintedValue("DistinctValues", "[3, 5, 8]") { $0.query(.init(Toast.self)).distinct(\.likes).value },
        PrintedValue("QueryBounds", "3..<5") { _ in (3..<5).bounds },
        PrintedValue("QueryBounds", "3...") { _ in (3...).bounds },
        PrintedValue("QueryBounds", "...5") { _ in (...5).bounds },
        PrintedValue("QueryValues", #"[T.Cook(id: "7", name: "Ann", toastIDs: [])]"#) {
            $0.query(.init(Cook.self)).values
        },
        PrintedValue("QuerySection", #"Ann: [T.Cook(id: "7", name: "Ann", toastIDs: [])]"#) {
            $0.query(.init(Cook.self)).grouped(by: \.name).sections[0]
        },
        PrintedValue("QuerySections", #"[Ann: [T.Cook(id: "7", name: "Ann", toastIDs: [])]]"#) {
            $0.query(.init(Cook.self)).grouped(by: \.name).sections
        },
        PrintedValue("QueryResult", "QueryResult<T.Toast>: 2 entities, initial, revision 5") { cache in
            try cache.received { cache.query(.popular).observe($0) }
        },
        PrintedValue("QueryResult", "QueryResult<T.Toast>: 3 entities, 1 insertion, revision 6") { cache in
            try cache.received {
                cache.query(.popular).observe($0)
            } after: {
                cache.set(Toast(id: "4", likes: 9))
            }
        },
        PrintedValue("QueryDifference", "QueryDifference<T.Toast>: no changes") { cache in
            try cache.received { cache.query(.popular).observe($0) }.difference
        },
        PrintedValue("QueryDifference", "QueryDifference<T.Toast>: 1 removal, 1 update") { cache in
            try cache.received {
                cache.query(.popular).observe($0)
            } after: {
                cache.transaction {
                    cache.remove(Toast.self, id: "2")
                    cache.set(Toast(id: "3", likes: 9))
                }
            }.difference
        },
        PrintedValue("QueryDifference.Move", "Move(source: 0, destination: 1)") { cache in
            let query = cache.query(FlatCache.Query(Toast.self).sorted(by: \.likes))
            let result = try cache.received {
                query.observe($0)
            } after: {
                cache.set(Toast(id: "1", likes: 6))
            }
            return result.difference.moves[0]
        },
        PrintedValue("GroupedResult", "GroupedResult<T.Toast>: 2 sections, initial, revision 5") { cache in
            try cache.received { cache.query(.popular).grouped(by: \.hostID).observe($0) }
        },
        PrintedValue("GroupedDifference", "GroupedDifference<T.Toast>: 1 inserted section, 1 update") { cache in
            try cache.regrouped(by: \.title) {
                cache.transaction {
                    cache.set(Toast(id: "4", title: "To none", likes: 1))
                    cache.set(Toast(id: "3", title: "To all", likes: 9))
                }
            }
        },
        PrintedValue(
            "GroupedDifference.Move",
            """
            Move(source: FlatCache.GroupedPosition(section: 0, index: 0), \
            destination: FlatCache.GroupedPosition(section: 2, index: 1))
            """
        ) { cache in
            cache.set(Toast(id: "4", title: "To you", likes: 20))
            return try cache.regrouped(by: \.title) { cache.set(Toast(id: "4", title: "To you", likes: 1)) }.moves[0]
        },
        PrintedValue("GroupedDifference.SectionMove", "SectionMove(source: 1, destination: 0)") { cache in
            try cache.regrouped(by: \.title) { cache.set(Toast(id: "2", title: "To me", likes: 9)) }.movedSections[0]
        },
        PrintedValue("GroupedPosition", "GroupedPosition(section: 1, index: 2)") { _ in
            GroupedPosition(section: 1, index: 2)
        },
    ]
}

/// An entity that refers to another one, which doesn't refer back.
struct Twin: Cachable, RelationshipOwner, Equatable {
    let id: String
    var otherID: String?

    struct Relationships: Sendable {
        var other: _ToOptional<Twin> { .init("otherID", { $0.otherID }, set: { $0.otherID = $1 }) }
    }
    static var relationships: Relationships { Relationships() }
    static var inverses: _Inverses { [.init(\.other, \.other)] }
}

extension FlatCache.Query<Toast> {
    static var popular: Self { Self().filter(\.likes, in: 4...).limit(20) }
}

extension FlatCache {
    /// The difference of sections after a change.
    fileprivate func regrouped(
        by property: any KeyPath<Toast, String> & Sendable,
        _ change: () -> Void
    ) throws -> GroupedDifference<String, Toast> {
        let groups = query(FlatCache.Query(Toast.self).sorted(by: \.likes, .descending)).grouped(by: property)
        return try received {
            groups.observe($0)
        } after: {
            change()
        }.difference
    }

    /// The error that a body throws.
    func error(_ body: () throws -> Void) throws -> any Error {
        do { try body() } catch { return error }
        throw Rejection()
    }
}
