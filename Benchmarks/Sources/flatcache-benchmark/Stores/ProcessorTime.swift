import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Returns the time for which processors worked for this process while a body ran.
///
/// Where nothing waits, that is the time that passed, but for what other processes took of it.
func processorTime(_ body: () -> Void) -> Duration {
    let begin = processorTime()
    body()
    return processorTime() - begin
}

/// Returns the time for which processors worked for this process while an asynchronous body ran.
func processorTime(_ body: () async -> Void) async -> Duration {
    let begin = processorTime()
    await body()
    return processorTime() - begin
}

/// Returns the time for which processors worked for this process while a task ran.
///
/// A task is where asynchronous functions are called without the cost of changing threads.
func processorTimeOfTask(_ body: @escaping @Sendable () async -> Void) -> Duration {
    let result = Mutex(Duration.zero)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let duration = await processorTime(body)
        result.withLock { $0 = duration }
        done.signal()
    }
    done.wait()
    return result.withLock { $0 }
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
