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
func processorTime(_ body: () async throws -> Void) async rethrows -> Duration {
    let begin = processorTime()
    try await body()
    return processorTime() - begin
}

/// Returns the time for which a processor worked for this thread while a body ran.
///
/// So what other threads do meanwhile is not in it, except that this one waits for their locks with a processor.
func processorTimeOfThread(_ body: () -> Void) -> Duration {
    let begin = processorTime(CLOCK_THREAD_CPUTIME_ID)
    body()
    return processorTime(CLOCK_THREAD_CPUTIME_ID) - begin
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

private func processorTime(_ clock: clockid_t = CLOCK_PROCESS_CPUTIME_ID) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
