import FlatCache
import Foundation

struct Attachment: Cachable {
    let id: String
    var data: Data
}

extension FlatCache {
    /// Stands for a method of Apple platforms.
    func collectOnMemoryPressure(keeping keys: @escaping @Sendable () -> [FlatCacheKey]) -> AnyObject { leftOut() }
}

var currentUser: Author { leftOut() }
