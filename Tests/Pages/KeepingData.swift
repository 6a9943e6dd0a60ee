import FlatCache
import FlatCacheStore
import Foundation

extension Comment: Storable { static let storedName = "Comment" }

struct Favourite: StorableMutation {
    static let storedName = "favourite"
    func change(_ change: inout MutationChanges) {}
    func send(_ context: MutationContext) async throws {}
}

struct HomeView: View {
    var body: some View { Text("") }
}

func log(_ message: String) {}

let store = FileStore(at: folder)
var payload: Payload<[Comment]> { leftOut() }

extension URL {
    /// Stands for a property of Apple platforms.
    static var applicationSupportDirectory: URL { temporaryDirectory }
}

// The declarations of CryptoKit that the page uses.

enum ChaChaPoly {
    struct SealedBox {
        var combined: Data { leftOut() }
        init(combined: some DataProtocol) throws {}
    }

    static func seal(_ message: some DataProtocol, using key: SymmetricKey) throws -> SealedBox { leftOut() }
    static func open(_ box: SealedBox, using key: SymmetricKey) throws -> Data { leftOut() }
}

struct SymmetricKey: Sendable {}

let key = SymmetricKey()
