// swift-format-ignore-file
internal import Dispatch

// Stands in for the part of Apple's Dispatch that other systems don't have. It is compiled with the library.

protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}

extension DispatchSource {
    struct MemoryPressureEvent: OptionSet, Sendable {
        let rawValue: UInt

        init(rawValue: UInt) { self.rawValue = rawValue }

        static let warning = MemoryPressureEvent(rawValue: 2)
        static let critical = MemoryPressureEvent(rawValue: 4)
    }

    class func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent,
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure { fatalError("It is only type-checked.") }
}
