/// The class of a byte, which decides how the lexer continues.
///
/// Users run a debug build of the tool. There a call, a comparison of enumerations from another file, a closure or an
/// access to a generic container takes as long as reading twenty bytes of text. Loads through pointers, arithmetic and
/// a `switch`, which becomes a jump, are fast. So the lexer looks up the class of a byte in a table and switches over
/// it.
enum ByteClass: UInt8 {
    /// Zero: the end of the text, or a blank before it.
    case zero
    case blank, lineFeed, carriageReturn
    /// A character that separates tokens as a blank does, but doesn't count as white space beside an operator.
    case control
    case letter, digit
    /// Part of a character that is not ASCII.
    case beyondASCII
    /// A character of operators without another meaning.
    case `operator`
    case slash, asterisk, less, greater, equals, minus, question, exclamation
    case period, comma, colon, semicolon, at, pound, quote, backtick, backslash
    case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
    case other
}

extension ByteClass {
    /// The classes of all 256 bytes.
    ///
    /// The table is never changed or freed.
    nonisolated(unsafe) static let table: UnsafePointer<ByteClass> = {
        let table = UnsafeMutablePointer<ByteClass>.allocate(capacity: 256)
        for byte in 0..<256 { table[byte] = ByteClass(UInt8(byte)) }
        return UnsafePointer(table)
    }()

    private init(_ byte: UInt8) {
        switch byte {
        case 0: self = .zero
        case 0x80...: self = .beyondASCII
        case Byte.lineFeed: self = .lineFeed
        case Byte.carriageReturn: self = .carriageReturn
        case 0x20, 0x09: self = .blank
        case ..<0x20, 0x7F: self = .control
        default: self = ByteClass(printable: byte)
        }
    }

    private init(printable byte: UInt8) {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "_", "$": self = .letter
        case "0"..."9": self = .digit
        case "/": self = .slash
        case "*": self = .asterisk
        case "<": self = .less
        case ">": self = .greater
        case "=": self = .equals
        case "-": self = .minus
        case "?": self = .question
        case "!": self = .exclamation
        case "+", "%", "&", "|", "^", "~": self = .operator
        case ".": self = .period
        case ",": self = .comma
        case ":": self = .colon
        case ";": self = .semicolon
        case "@": self = .at
        case "#": self = .pound
        case "\"": self = .quote
        case "`": self = .backtick
        case "\\": self = .backslash
        case "{": self = .leftBrace
        case "}": self = .rightBrace
        case "(": self = .leftParenthesis
        case ")": self = .rightParenthesis
        case "[": self = .leftBracket
        case "]": self = .rightBracket
        default: self = .other
        }
    }
}
