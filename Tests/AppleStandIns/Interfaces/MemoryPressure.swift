// swift-format-ignore-file
public import Dispatch

// Stands in for the part of Apple's Dispatch that other systems don't have. It is compiled with the library.

public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}

extension DispatchSource {
    public struct MemoryPressureEvent: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let warning = MemoryPressureEvent(rawValue: 2)
        public static let critical = MemoryPressureEvent(rawValue: 4)
    }

    public class func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent,
        queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure { fatalError("It is only type-checked.") }
}
