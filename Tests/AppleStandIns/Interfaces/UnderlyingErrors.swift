// swift-format-ignore-file
import Foundation

// What Apple's Foundation has, and that of Linux doesn't.
extension NSError {
    var underlyingErrors: [any Error] { [] }
}
