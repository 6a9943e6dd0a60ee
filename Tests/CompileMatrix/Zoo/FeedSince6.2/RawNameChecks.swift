package import Accounts
import FlatCache

package func checkRawNames(_ checks: inout Checks) {
    let cache = FlatCache()
    cache.set(Release(id: 1, `the one before it`: nil, `those // behind { it`: []))
    var release = Release(id: 2, `the one before it`: 1, `those // behind { it`: [])
    checks.expect(release.earlier(in: cache)?.id == 1, "a raw identifier is read")
    release.setEarlier(nil)
    checks.expect(release.`the one before it` == nil, "and set")
    checks.expect(release.`missingThose // behind { it`(in: cache) == [], "and in the name of a member")
}
