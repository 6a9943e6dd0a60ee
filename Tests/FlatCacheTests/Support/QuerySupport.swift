import Foundation
import TestThreads
import Testing

@testable import FlatCache

typealias Tracks = FlatCache.Query<Track>

/// Waits for something that another thread or task brings about, at most until a deadline.
func comes(
    within seconds: Double = 600,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () -> Bool
) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}

/// A place where a thread stops once, until it is let through.
final class Stop: Sendable {
    private let arrival = Gate("a thread comes to the stop")
    private let departure = Gate("a thread may leave the stop")
    private let isArmed = Protected(true)

    /// Stops the first thread that comes here.
    func pass() {
        let mustStop = isArmed.withLock { armed in
            defer { armed = false }
            return armed
        }
        guard mustStop else { return }
        arrival.open()
        departure.wait(failingAfter: 300)
    }

    func waitForArrival() { arrival.wait(failingAfter: 300) }

    func letThrough() { departure.open() }
}

/// Applies differences to an array, by the rules of `QueryDifference`.
final class ArrayFollower: Sendable {
    let shown = Protected<[Track]>([])
    let mistakes = Recorder<String>()
    let results = Protected(0)
    private let lastRevision = Protected<UInt64?>(nil)

    func apply(_ result: QueryResult<Track>) {
        results.withLock { $0 += 1 }
        lastRevision.withLock {
            if let last = $0, result.revision <= last { mistakes.record("revision \(result.revision) after \(last)") }
            $0 = result.revision
        }
        let values = Array(result.values)
        let old = shown.withLock { $0 }
        shown.withLock { $0 = values }
        if result.isInitial { return }
        let difference = result.difference
        if !same(Array(difference.oldValues), old) { mistakes.record("other old values") }
        if difference.isEmpty { mistakes.record("an empty difference") }
        var new = old
        for place in (difference.removals + difference.moves.map(\.source)).sorted(by: >) { new.remove(at: place) }
        let arrivals =
            difference.insertions.map { ($0, values[$0]) } + difference.moves.map { ($0.destination, old[$0.source]) }
        for (place, value) in arrivals.sorted(by: { $0.0 < $1.0 }) { new.insert(value, at: place) }
        for place in difference.updates {
            if new[place].id != values[place].id { mistakes.record("an update of another entity") }
            if new[place] == values[place] { mistakes.record("an update of an unchanged entity at \(place)") }
            new[place] = values[place]
        }
        if !same(new, values) { mistakes.record("the difference leads elsewhere") }
        if !same(old.applying(CollectionDifference(difference)) ?? [], values) {
            mistakes.record("collection difference")
        }
    }

    /// Equality in which NaN is equal to itself.
    private func same(_ first: [Track], _ second: [Track]) -> Bool {
        first.count == second.count && zip(first, second).allSatisfy { "\($0)" == "\($1)" }
    }
}

extension Track {
    var authorName: String { FlatCache.current.get(Author.self, id: "\(artistID)")?.name ?? "" }
}

/// An entity with properties of several types to filter and sort by.
struct Track: Cachable, Equatable {
    let id: Int
    var name = ""
    var artistID = 0
    var plays = 0
    var rating: Double?
    var label: String?
}
