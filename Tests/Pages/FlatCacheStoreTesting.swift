import FlatCache
import FlatCacheStore
import FlatCacheStoreTesting
import Foundation
import Testing

extension Post: Storable { static let storedName = "Post" }

typealias MyStore = FileStore
