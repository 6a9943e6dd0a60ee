// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

package import Accounts
public import FlatCache

/// An entity without annotations that others lead back to.
public struct Country: Cachable, Equatable {
    public let id: String
}

/// One with backlinks and indexes of every form.
public struct City: Cachable, Equatable {
    public let id: Int
    // relationship: Country, backlink: cities, sorted: population
    public var countryID: String
    // relationship: City, name: twin, backlink: twins - to itself
    // cache: index, unique
    public private(set) var twinID: City.ID?
    // cache: index
    // relationship: Country, name: neighbours, backlink: neighbouringCities
    package let neighbourIDs: [Country.ID]
    // relationship: Atlas.Page, name: pages, backlink: cities
    var pageIDs: Set<Int>?
    // relationship: Atlas.Page, name: maps, backlink: mapped, sorted: id
    var mapIDs: [Int?]?
    public var population: Double?
    // cache: index
    public var name: String
    var codes: [Int] = []  // cache: index - of each

    public init(id: Int, in countryID: String, twinID: Int? = nil, population: Double? = nil) {
        self.id = id
        self.countryID = countryID
        self.twinID = twinID
        self.population = population
        neighbourIDs = []
        name = ""
    }
}

package enum Atlas {
    package struct Page: Cachable {
        package let id: Int
        #if FIRST_BRANCH
        // relationship: Page, name: next, backlink: previous
        var nextID: Int?
        // cache: index
        var scale: Int
        #else
        // relationship: Page, name: next, backlink: previous
        // cache: index
        let nextID: Int
        #endif
    }
}

/// Available in the future.
@available(macOS 99, *)
struct Metropolis: Cachable {
    let id: Int
    // relationship: Country, backlink: metropolises
    var countryID: String
    // relationship: Country, name: former, backlink: formerMetropolises
    @available(*, deprecated)
    var formerCountryID: String?
}

#if NEVER
struct Atlantis: Cachable {
    let id: Int
    // relationship: Country, backlink: atlantes
    var countryID: String
}
#endif

/// One whose members have the names that accessors use.
struct Street: Cachable {
    let id: Int
    // relationship: Street, name: crossing, backlink: crossings
    var crossingID: Int?
    var query = 0, posts = 0
    struct City {}
    // relationship: City_, name: town, backlink: streets
    var townID: Int
}

typealias City_ = Accounts_City
typealias Accounts_City = City

package func checkBacklinks(_ checks: inout Checks) throws {
    let cache = FlatCache()
    cache.set(contentsOf: [
        City(id: 1, in: "a", population: 2), City(id: 2, in: "a", twinID: 1, population: 1), City(id: 3, in: "b"),
    ])
    let country = Country(id: "a")
    cache.set(country)
    checks.expect(country.cities(in: cache).map(\.id) == [2, 1], "a backlink is sorted")
    let handle = Cached(Country.self, id: "a", in: cache)
    checks.expect(handle.cities.count == 2 && handle.neighbouringCities.isEmpty, "handles have backlinks")
    checks.expect(handle.cached(\.cities).map(\.id) == [2, 1] && handle.missing(\.cities).isEmpty, "by key paths, too")
    checks.expect(try handle.require(\.cities) == country.cities(in: cache), "none is missing")
    FlatCache.withCurrent(cache) {
        checks.expect(cache.get(City.self, id: 1)?.twins.map(\.id) == [2], "a type leads back to itself")
        checks.expect(
            Atlas.Page(id: 1, next: 1).cities.isEmpty && Atlas.Page(id: 1, next: 1).mapped.isEmpty,
            "to nested ones"
        )
    }
    checks.expect(City.indexes.count == 7 && City.indexes.contains(.init(\.countryID)), "backlinks have indexes")
    cache.set(Street(id: 1, crossingID: 2, townID: 1))
    checks.expect(cache.get(City.self, id: 1)?.streets(in: cache).count == 1, "by aliases")
}

extension Atlas.Page {
    #if FIRST_BRANCH
    init(id: Int, next: Int) { self.init(id: id, nextID: next, scale: 1) }
    #else
    init(id: Int, next: Int) { self.init(id: id, nextID: next) }
    #endif
}
