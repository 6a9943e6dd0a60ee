internal import FlatCache

/// The use of a ``ValueReader`` by one thread, for one record after the other.
///
/// Readers are never freed, because containers refer to them without counting references; see ``KeyedValueDecoder``. A reader
/// that the code of a type has kept with a decoder isn't used again.
struct ReaderUse: ~Copyable {
    private var reader: ValueReader
    private let shapes: ShapeTable
    private let userInfo: [CodingUserInfoKey: any Sendable]

    init(shapes: ShapeTable, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.shapes = shapes
        self.userInfo = userInfo
        reader = ReaderPool.shared.take()
        reader.begin(shapes, userInfo)
    }

    deinit { ReaderPool.shared.add(reader) }

    /// Calls a closure with a reader of a record, if that is one whole value.
    ///
    /// After the call, all decoders and containers of the record see an empty one.
    mutating func read<Result>(
        _ bytes: ArraySlice<UInt8>,
        _ body: (ValueReader) throws -> Result
    ) throws -> Result {
        try bytes.withUnsafeBufferPointer { try read($0, body) }
    }

    mutating func read<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (ValueReader) throws -> Result
    ) throws -> Result {
        guard let base = bytes.baseAddress else { throw DecodingError.empty }
        if !isKnownUniquelyReferenced(&reader) {
            reader.leak()
            reader = ReaderPool.shared.take()
            reader.begin(shapes, userInfo)
        }
        let reader = reader
        return try reader.readWhole(RecordBytes(base: base, count: bytes.count)) { try body(reader) }
    }
}

/// The readers that nobody uses, as many as were used at once.
private final class ReaderPool: @unchecked Sendable {  // The lock guards the readers.
    static let shared = ReaderPool()
    private let lock = Lock()
    private var readers: [ValueReader] = []

    func take() -> ValueReader {
        while var reader = lock.withLock({ readers.popLast() }) {
            if isKnownUniquelyReferenced(&reader) { return reader }
            reader.leak()
        }
        return ValueReader()
    }

    func add(_ reader: ValueReader) {
        reader.begin(ShapeTable(), [:])
        lock.withLock { readers.append(reader) }
    }
}

extension ValueReader {
    /// Keeps the reader forever, because a type has kept a decoder, and may have kept a container.
    fileprivate func leak() { _ = Unmanaged.passRetained(self) }
}
