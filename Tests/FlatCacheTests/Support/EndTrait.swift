import Testing

extension Trait where Self == TimeLimitTrait {
    /// Makes a test fail that hangs.
    ///
    /// The time of a test includes its waits for threads, which other tests use, too. So the limit is far above the time
    /// that a test takes alone, also under a sanitizer on a loaded machine.
    static var ends: Self { .timeLimit(.minutes(30)) }
}
