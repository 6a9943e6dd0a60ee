internal import FlatCacheStore
internal import Foundation

extension StoreCheck {
    /// What concerns a store as a whole.
    static let wholeStore = [
        StoreCheck("Erasing removes all records for good") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"), .put("b", "2"))
            try store.write(.authors, .put("a", "3"))
            try store.flush()
            try store.removeAll()
            try store.expectRecords("after erasing")
            try store.flush()
            store.close()
            try store.open()
            try store.expectRecords("after erasing and opening again")
            try store.removeAll()
            try store.write(.posts, .put("b", "4"))
            try store.flush()
            store.close()
            try place.open().expectRecords("after erasing and writing")
        },
        StoreCheck("The size includes the bytes of the records") { place in
            let store = try place.open()
            var random = SeededGenerator(seed: 1)
            // They can't be compressed.
            let value = (0..<1_000_000).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            try store.write([StoreBatch.Part(.posts, changes: [RecordChange(key: "a".bytes, value: value[...])])])
            try store.flush()
            let size = try store.size()
            try expect(
                size.bytes >= value.count,
                "size() to have at least the \(value.count) bytes of a record",
                found: "\(size.bytes)"
            )
            try expect(
                0...size.bytes ~= size.unusedBytes,
                "size() to have from 0 to \(size.bytes) unused bytes",
                found: "\(size.unusedBytes)"
            )
        },
        StoreCheck("Several threads can use a store, one after the other") { place in
            let store = try place.open()
            try store.write(.posts, .put("a", "1"))
            let batch = [StoreBatch.Part(.posts, changes: [.put("b", "2")])]
            let base = store.base
            try onAnotherThread {
                try base.write(StoreBatch(batch))
                try base.flush()
                _ = try base.groups()
            }
            place.records.apply(batch[0])
            try store.expectRecords("after another thread has written")
        },
    ]
}

/// Runs a closure on a new thread, waits for its end, and throws its error.
private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
    final class Outcome: @unchecked Sendable {  // Written before the signal, and read after it.
        var error: (any Error)?
    }
    let outcome = Outcome()
    let end = DispatchSemaphore(value: 0)
    Thread {
        do { try body() } catch { outcome.error = error }
        end.signal()
    }.start()
    end.wait()
    if let error = outcome.error {
        throw UnmetExpectation(expected: "another thread to use the store", found: "the error '\(error)'")
    }
}
