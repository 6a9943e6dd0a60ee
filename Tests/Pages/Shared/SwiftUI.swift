import Observation

// The declarations of SwiftUI that pages use, for other platforms.

@MainActor protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

@resultBuilder struct ViewBuilder {
    static func buildBlock<each Content: View>(_ content: repeat each Content) -> Shown { Shown() }
    static func buildOptional(_ content: Shown?) -> Shown { Shown() }
    static func buildEither(first content: Shown) -> Shown { content }
    static func buildEither(second content: Shown) -> Shown { content }
}

/// Stands for all views that builders and modifiers return.
struct Shown: View {}

extension Never: View {
    typealias Body = Never
}

extension View where Body == Never {
    var body: Never { fatalError() }
}

extension View {
    func id(_ id: some Hashable) -> some View { Shown() }
    func refreshable(action: @escaping @Sendable () async -> Void) -> some View { Shown() }
    func task(_ action: @escaping @isolated(any) @Sendable () async -> Void) -> some View { Shown() }
}

struct Text: View {
    init(_ content: some StringProtocol) {}
}

struct ProgressView: View {}

struct Button: View {
    init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

struct VStack: View {
    init(alignment: HorizontalAlignment, @ViewBuilder content: () -> some View) {}
}

enum HorizontalAlignment { case leading }

struct List: View {
    init<Data: RandomAccessCollection>(
        _ data: Data,
        id: KeyPath<Data.Element, some Hashable>,
        @ViewBuilder row: @escaping (Data.Element) -> some View
    ) {}

    init(@ViewBuilder content: () -> some View) {}
}

struct ForEach: View {
    init<Data: RandomAccessCollection>(
        _ data: Data,
        id: KeyPath<Data.Element, some Hashable>,
        @ViewBuilder content: @escaping (Data.Element) -> some View
    ) {}
}

struct Section: View {
    init(_ title: String, @ViewBuilder content: () -> some View) {}
}

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
