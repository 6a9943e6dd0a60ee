import FlatCache
import Foundation

var home: CachedList<Post> { leftOut() }
var keys: [FlatCacheKey] { leftOut() }

func reload(_ keys: Set<FlatCacheKey>) {}
func remove(_ keys: Set<FlatCacheKey>) {}
