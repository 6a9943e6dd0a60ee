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

// The declarations of SwiftUI that only this page uses.

@MainActor protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
}

extension App {
    static func main() {}
}

@MainActor protocol Scene {}

@resultBuilder struct SceneBuilder {
    static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

struct WindowGroup: Scene {
    init(@ViewBuilder content: () -> some View) {}
}

extension Scene {
    func onChange(of value: some Equatable, _ action: @escaping () -> Void) -> some Scene { self }
}

@propertyWrapper struct State<Value> {
    var wrappedValue: Value {
        get { leftOut() }
        nonmutating set {}
    }
    init(wrappedValue: Value) {}
}

@propertyWrapper struct Environment<Value> {
    var wrappedValue: Value { leftOut() }
    init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
}

struct EnvironmentValues {
    var scenePhase: ScenePhase { leftOut() }
}

enum ScenePhase { case active, inactive, background }

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
