@testable import MastodonTimeline

extension Terminal {
    /// A pipe of a width.
    init(width: Int) {
        self.init(environment: ["COLUMNS": String(width)], isInteractive: false)
    }
}
