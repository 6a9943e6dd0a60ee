package import Accounts
import FlatCache

package func checkModuleSelectors(_ checks: inout Checks) {
    let cache = FlatCache()
    let first = Edition(id: 1, previousID: nil, originalID: 1, otherIDs: [1, 2])
    cache.set(first)
    checks.expect(first.previous(in: cache) == nil, "an optional by its full name is one")
    checks.expect(first.original(in: cache)?.id == 1, "an identifier by the name of the module is one")
    checks.expect(first.others(in: cache).map(\.id) == [1], "an array of a type with a module selector is one")
    let page = Edition.Page(id: "a", editionID: 1)
    checks.expect(page.edition(in: cache)?.id == 1, "an extension by a module selector extends the type")
}
