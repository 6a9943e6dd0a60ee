import FlatCacheStore
import FlatCacheStoreTesting
import Foundation
import GRDBStore
import Testing

@Suite struct GRDBStoreTests {
    @Test("The store does what each store must do", arguments: StoreCheck.all + StoreCheck.ofSharing)
    func conforms(_ check: StoreCheck) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try check.run { GRDBStore(at: folder) }
    }
}
