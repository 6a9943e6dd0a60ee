import Accounts
import Feed
import FlatCache

func checkAll() async throws -> Checks {
    var checks = Checks()
    try checkShapes(&checks)
    try checkModels(&checks)
    #if RAW_NAMES
    checkRawNames(&checks)
    #endif
    #if MODULE_SELECTORS
    checkModuleSelectors(&checks)
    #endif
    try await checkFetching(&checks)
    try await checkKeyPaths(&checks)
    try await checkOwners(&checks)
    try await checkCollections(&checks)
    try await checkDecoys(&checks)
    checkDecodables(&checks)
    try checkPayloads(&checks)
    try checkBacklinks(&checks)
    try checkInverses(&checks)
    checkDeleteRules(&checks)
    checkNestedOwners(&checks)

    let cache = FlatCache()
    try FlatCache.withCurrent(cache) {
        var author = User(id: "u", name: "Ada")
        author.setTeam(Team(id: 1, memberIDs: ["u"]))
        author.followers = [author]
        var post = Post(id: "p", authorID: "u", commentIDs: [1], replyToID: "p")
        post.setAuthor(author)
        try post.setComments([Post.Comment(id: 1, postID: "p", authorID: "u")])
        post.reviser = author
        post.setTeam(nil)
        cache.set(post)
        let handle = Cached(Post.self, id: "p")
        checks.expect(handle.author?.name == "Ada" && handle.author?.team?.members.count == 1, "other modules read")
        checks.expect(handle.comments.first?.post?.repliedTo == post, "over several relationships")
        checks.expect(handle.cached(\.comments).first?.post?.reviser?.followers.count == 1, "and handles")
        checks.expect(
            handle.labels.isEmpty && handle.suggestions == nil && handle.missing(\.labels).isEmpty,
            "of every access"
        )
        checks.expect(
            author.followed.map(\.id) == ["u"] && author.teams.map(\.id) == [1]
                && Cached(User.self, id: "u").followed == author.followed,
            "backlinks of other modules"
        )
        cache.set(Badge(id: 1, content: "first", ownerID: nil))
        let badge = Cached(Badge<String>.self, id: 1)
        try badge.set(\.owner, to: author)
        checks.expect(badge.owner?.name == "Ada" && badge.original == nil && badge.teams.isEmpty, "generic ones too")
        cache.set(Note<Int>(id: 1, nextID: 1))
        checks.expect(Cached(Note<Int>.self, id: 1).next?.next?.id == 1, "of the package too")
        try handle.set(\.reviser, to: nil)
        checks.expect(cache.get(Post.self, id: "p")?.editorID == nil, "other modules set")
    }
    cache.setFetcher(of: User.self) { ids in ids.map { User(id: $0, name: "fetched") } }
    cache.removeAll()
    checks.expect(
        try await Post(id: "q", authorID: "v").fetchAuthor(in: cache).name == "fetched",
        "other modules fetch"
    )
    try await cache.prefetch(\.author, \.comments.post.author, for: [Post(id: "q", authorID: "w")])
    checks.expect(cache.get(User.self, id: "w") != nil, "other modules name relationships")
    cache.set(Team(id: 2, memberIDs: ["w", "x"]))
    try await cache.prefetch(\.teams.members, for: [User(id: "w")])
    checks.expect(cache.get(User.self, id: "x") != nil, "and backlinks")
    return checks
}

let checks = try await checkAll()
if !checks.failures.isEmpty { throw checks }
print("\(checks.count) checks")
