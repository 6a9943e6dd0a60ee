import FlatCacheStore
import FlatCacheStoreTesting
import TestThreads
import Testing

@Suite(.mayBlock) struct FileConformanceTests {
    @Test("A file store has all behaviours of a store", arguments: StoreCheck.all + StoreCheck.ofSharing)
    func conforms(_ check: StoreCheck) throws {
        let folder = TemporaryFolder()
        try check.run { FileStore(at: folder.url) }
    }
}
