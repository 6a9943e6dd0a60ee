/// A value that the user's decoder decodes in place of another one, to give the library that value's decoder.
struct PayloadProxy: Decodable {
    private static let requests = ThreadLocal<PayloadProxyRequest>()

    /// The place of the value's result among the results of the request.
    let place: Int

    init(from decoder: any Decoder) throws {
        // A value that is decoded inside of this one has a request of its own.
        guard let request = Self.requests.object else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "A proxy was decoded alone.")
            )
        }
        Self.requests.object = nil
        defer { Self.requests.object = request }
        place = try request.read(decoder)
    }

    /// Decodes with proxies.
    ///
    /// - Parameters:
    ///   - decode: A closure that decodes one or more proxies.
    ///   - read: The code to run with the decoder of each proxy.
    /// - Returns: The decoded value, and the results of the code in the order of its runs.
    static func decode<Decoded, Result>(
        _ decode: () throws -> Decoded,
        _ read: @escaping (any Decoder) throws -> Result
    ) throws -> (decoded: Decoded, results: [Result]) {
        let request = ProxyResults(read)
        let outer = requests.object
        requests.object = request
        defer { requests.object = outer }
        return (try withExtendedLifetime(request) { try decode() }, request.results)
    }
}

/// The code to run with the decoders of proxies.
private class PayloadProxyRequest {
    /// Runs the code.
    ///
    /// - Returns: The place of its result.
    func read(_ decoder: any Decoder) throws -> Int { 0 }
}

private final class ProxyResults<Result>: PayloadProxyRequest {
    private(set) var results: [Result] = []
    private let body: (any Decoder) throws -> Result

    init(_ body: @escaping (any Decoder) throws -> Result) {
        self.body = body
    }

    override func read(_ decoder: any Decoder) throws -> Int {
        results.append(try body(decoder))
        return results.count - 1
    }
}
