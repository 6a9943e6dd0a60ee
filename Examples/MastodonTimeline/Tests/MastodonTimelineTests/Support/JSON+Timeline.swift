@testable import MastodonTimeline

extension JSON {
    /// A timeline of statuses by one account, whose identifiers are the numbers of a range, the newest and greatest first.
    static func timeline(_ numbers: ClosedRange<Int>) -> JSON {
        .array(numbers.reversed().map { .status(String($0)) })
    }
}

extension [Status.ID] {
    /// The identifiers of such a timeline.
    static func timeline(_ numbers: ClosedRange<Int>) -> [Status.ID] { numbers.reversed().map(String.init) }
}
