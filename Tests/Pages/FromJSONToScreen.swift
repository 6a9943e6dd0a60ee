import FlatCache

struct PostPage: Decodable {
    // relationship: Post
    let postIDs: [Post.ID]
    let nextCursor: String?
}

var timeline: Timeline { leftOut() }
let oldIDs = ["2"]

func redraw(_ keys: Set<FlatCacheKey>) {}
func remove(_ keys: Set<FlatCacheKey>) {}
