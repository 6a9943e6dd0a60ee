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
    cache.set(`Post v1.0`(id: 0, innerIDs: [3]))
    cache.set(`Post v1.0`.`A::B`(id: 3, outerID: 0))
    let version = `Blog Post`(id: 8, parentID: nil).`first version`(in: cache)
    checks.expect(version?.inners(in: cache).first?.outerID == 0, "and a type can have a period or colons in its name")
    checks.expect(release.missing(\.later, in: cache) == [], "and in the name of a member")
}
