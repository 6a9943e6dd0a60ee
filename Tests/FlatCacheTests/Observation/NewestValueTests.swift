import Testing

@testable import FlatCache

@Suite("Values on demand")
struct NewestValueTests {
    @Test("Nothing is handed over before it is wanted, and then the newest")
    func demand() {
        let received = Recorder<Int>()
        let newest = NewestValue<Int> {
            received.record($0)
            return 0
        }
        newest.put(1)
        newest.put(2)
        #expect(received.take() == [])
        newest.request(2)
        #expect(received.take() == [2])
        newest.put(3)
        newest.put(4)
        newest.put(5)
        #expect(received.take() == [3])
        newest.request(.max)
        newest.put(6)
        newest.put(7)
        #expect(received.take() == [5, 6, 7])
    }

    @Test("The receiver can ask for more, and put values itself")
    func receiverAsks() {
        let received = Recorder<Int>()
        let own = Protected<NewestValue<Int>?>(nil)
        let newest = NewestValue<Int> { value in
            received.record(value)
            if value < 3 { own.withLock { $0 }?.put(value + 1) }
            return 1
        }
        own.withLock { $0 = newest }
        newest.put(1)
        newest.request(1)
        #expect(received.elements == [1, 2, 3])
        own.withLock { $0 = nil }
    }

    @Test("N7: Nothing is handed over after it was cancelled, and nothing is kept")
    func cancel() {
        let alive = Protected(0)
        let received = Recorder<Int>()
        let newest = NewestValue<Counted> {
            received.record($0.id)
            return 0
        }
        newest.put(Counted(1, alive))
        #expect(alive.withLock { $0 } == 1)
        newest.cancel()
        newest.put(Counted(2, alive))
        newest.request(5)
        #expect(received.count == 0)
        #expect(alive.withLock { $0 } == 0)
    }

    @Test("However many threads put and ask, one value is handed over at a time, and the last one is")
    func racing() {
        let received = Recorder<Int>()
        let isBusy = Protected(false)
        let newest = NewestValue<Int> { value in
            #expect(
                isBusy.withLock { busy in
                    defer { busy = true }; return !busy
                }
            )
            received.record(value)
            isBusy.withLock { $0 = false }
            return 0
        }
        onThreads(4) { number in
            for count in 0..<500 {
                if number == 0 { newest.put(count) } else { newest.request(1) }
            }
        }
        #expect(received.elements.last == 499)
        #expect(received.elements == received.elements.sorted())
    }
}
