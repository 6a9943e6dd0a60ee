package import Accounts
import FlatCache

package func checkRawNames(_ checks: inout Checks) {
    let cache = FlatCache()
    cache.set(Release(id: 1, `the one before it`: nil, `those // behind { it`: []))
    var release = Release(id: 2, `the one before it`: 1, `those // behind { it`: [])
    checks.expect(release.earlier(in: cache)?.id == 1, "a raw identifier is read")
    release.setEarlier(nil)
    checks.expect(release.`the one before it` == nil, "and set")
    cache.set(`Blog Post`(id: 7, parentID: 8))
    release.`1st release ID` = 1
    release.`2ndPostID` = 7
    checks.expect(release.`1st release`(in: cache)?.id == 1, "an accessor can need backticks for its digit")
    checks.expect(release.`2ndPost`(in: cache)?.parentID == 8, "and a related type for its space")
    checks.expect(release.`the "other" releases`(in: cache).isEmpty, "and a message can quote a quotation mark")
    checks.expect(release.`missingThose // behind { it`(in: cache) == [], "and in the name of a member")
}
