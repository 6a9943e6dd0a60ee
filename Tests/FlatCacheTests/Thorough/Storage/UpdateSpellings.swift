import FlatCache

// Nothing here runs. It compiles, without a warning, as long as closures of all kinds find the `update` that is meant: one that
// returns nothing says whether there was something to change, another returns what the closure returns.

/// Has the type of its argument checked.
private func expect<Value>(_ type: Value.Type, _ value: Value) {}

private struct Refusal: Error {}

extension Post {
    fileprivate mutating func like() { likes += 1 }
    fileprivate mutating func likeAndCount() -> Int {
        like()
        return likes
    }
    @discardableResult fileprivate mutating func likeIfNew() -> Bool {
        defer { like() }
        return likes == 0
    }
}

private func closuresThatReturnNothing(_ cache: FlatCache, _ handle: Cached<Post>, _ list: CachedList<Post>) {
    expect(Bool.self, cache.update(Post.self, id: "1") { $0.likes += 1 })
    expect(Bool.self, cache.update(Post.self, id: "1") { $0.like() })
    expect(Bool.self, cache.update(Post.self, id: "1") { $0 = Post(id: "1") })
    expect(Bool.self, cache.update(Post.self, id: "1") { _ in })
    expect(Bool.self, cache.update(id: "1") { (post: inout Post) in post.likes += 1 })
    expect(Bool.self, handle.update { $0.likes += 1 })
    expect(Bool.self, handle.update(storing: [Author(id: "7")]) { $0.authorID = "7" })
    expect(Bool.self, list.update { $0.sort() })
    let ofTwo = cache.update(Post.self, id: "1") {
        $0.likes += 1
        $0.title = ""
    }
    let ofBranches = handle.update { if $0.likes > 3 { $0.like() } else { $0.likes = 0 } }
    let ofLoop = handle.update { post in for _ in 0..<3 { post.like() } }
    let ofReturn = handle.update { post in
        if post.likes > 3 { return }
        post.like()
    }
    expect([Bool].self, [ofTwo, ofBranches, ofLoop, ofReturn])
    if cache.update(Post.self, id: "1", { $0.likes += 1 }) || !handle.update({ $0.likes += 1 }) {}
    guard list.update({ $0.append("1") }) else { return }
    expect([Bool].self, [Post]().map { post in cache.update(Post.self, id: post.id) { $0.likes += 1 } })
    expect(Bool.self, [Post]().allSatisfy { post in cache.update(Post.self, id: post.id) { $0.title = post.title } })
    let change: (inout Post) -> Void = { $0.likes += 1 }
    expect(Bool.self, cache.update(id: "1", change))
    func function(_ post: inout Post) {}
    expect(Bool.self, handle.update(function))
}

private func closuresThatReturnSomething(_ cache: FlatCache, _ handle: Cached<Post>, _ list: CachedList<Post>) {
    expect(Int?.self, cache.update(Post.self, id: "1") { $0.likes })
    expect(Int?.self, cache.update(Post.self, id: "1") { $0.likeAndCount() })
    expect(Bool?.self, cache.update(Post.self, id: "1") { $0.likeIfNew() })
    expect(String?.self, cache.update(Post.self, id: "1") { $0.likes > 1 ? $0.title : "" })
    expect(Int?.self, handle.update { $0.likes })
    expect(Int?.self, handle.update(storing: [Author(id: "7")]) { $0.likeAndCount() })
    expect(String??.self, list.update { $0.popLast() })
    let ofTwo = cache.update(Post.self, id: "1") {
        $0.likes += 1
        return $0.likes
    }
    let ofNamed = handle.update { post in
        post.likes += 1
        return post.likes
    }
    let ofSwitch = handle.update { post in
        switch post.likes {
        case 0: return 1
        default: return 2
        }
    }
    expect([Int?].self, [ofTwo, ofNamed, ofSwitch])
    expect(Int.self, cache.update(Post.self, id: "1") { $0.likeAndCount() } ?? 0)
    if let likes = handle.update({ $0.likeAndCount() }) { expect(Int.self, likes) }
    guard handle.update({ $0.likeAndCount() }) != nil else { return }
    func count<Value: Cachable, Result>(_ type: Value.Type, id: Value.ID, _ body: (inout Value) -> Result) -> Result? {
        cache.update(type, id: id, body)
    }
}

private func resultsThatAreNotUsed(_ cache: FlatCache, _ handle: Cached<Post>, _ list: CachedList<Post>) {
    cache.update(Post.self, id: "1") { $0.likes += 1 }
    cache.update(Post.self, id: "1") { $0.likeAndCount() }
    cache.update(Post.self, id: "1") { $0.likeIfNew() }
    handle.update { $0.likes += 1 }
    handle.update { $0.likeAndCount() }
    handle.update(storing: [Author(id: "7")]) { $0.authorID = "7" }
    list.update { $0.sort() }
    list.update { $0.popLast() }
    for post in [Post]() { cache.update(Post.self, id: post.id) { $0.likes += 1 } }
    [Post]().forEach { post in cache.update(Post.self, id: post.id) { $0.likes += 1 } }
    cache.transaction { cache.update(Post.self, id: "1") { $0.likes += 1 } }
    FlatCache.withCurrent(cache) { FlatCache.current.update(Post.self, id: "1") { $0.likes += 1 } }
}

/// As before there was one `update` for closures that return nothing.
private func comparedWithNil(_ cache: FlatCache, _ handle: Cached<Post>, _ list: CachedList<Post>) {
    let result: Void? = cache.update(Post.self, id: "1") { $0.likes += 1 }
    expect(Bool.self, result == nil)
    expect(Bool.self, cache.update(Post.self, id: "1") { $0.likes += 1 } == nil)
    expect(Bool.self, handle.update { $0.likes += 1 } != nil)
    expect(Bool.self, list.update { $0.sort() } == nil)
}

private func closuresThatThrow(_ cache: FlatCache, _ handle: Cached<Post>, _ list: CachedList<Post>) throws {
    do {
        let isStored = try cache.update(Post.self, id: "1") { (post: inout Post) throws(Refusal) in
            guard post.likes < 3 else { throw Refusal() }
            post.like()
        }
        expect(Bool.self, isStored)
        let likes = try handle.update { (post: inout Post) throws(Refusal) -> Int in
            guard post.likes < 3 else { throw Refusal() }
            return post.likes
        }
        expect(Int?.self, likes)
        try list.update { (_: inout [String]) throws(Refusal) in throw Refusal() }
        try handle.update(storing: [Author(id: "7")]) { (_: inout Post) throws(Refusal) in throw Refusal() }
    } catch {
        expect(Refusal.self, error)
    }
    try cache.update(Post.self, id: "1") { post in
        guard post.likes < 3 else { throw Refusal() }
        post.like()
    }
    let likes = try cache.update(Post.self, id: "1") { post in
        guard post.likes < 3 else { throw Refusal() }
        return post.likes
    }
    expect(Int?.self, likes)
    func rethrowing<Value: Cachable>(
        _ type: Value.Type,
        id: Value.ID,
        _ body: (inout Value) throws -> Void
    ) rethrows -> Bool {
        try cache.update(type, id: id, body)
    }
    expect(Bool.self, rethrowing(Post.self, id: "1") { $0.likes += 1 })
}
