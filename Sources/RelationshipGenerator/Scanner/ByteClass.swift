/// What a byte means to the lexer.
///
/// Users run the tool as a debug build leaves it, where a call, a comparison of enumerations from another file, a closure
/// or an access to a generic container costs as much as twenty bytes of text. What is left that is fast: loads through
/// pointers, arithmetic, and `switch`, which becomes a jump. Hence the one technique of the lexer: it looks a byte up in a
/// table and switches over the class.
enum ByteClass: UInt8 {
    /// Zero: what is behind the end of the text, and a blank before it.
    case zero
    case blank, lineFeed, carriageReturn
    /// What parts tokens as a blank does, but doesn't tell which side of an operator is bound.
    case control
    case letter, digit
    /// Part of a character that is not ASCII.
    case beyondASCII
    /// A character of operators that means nothing else.
    case `operator`
    case slash, asterisk, less, greater, equals, minus, question, exclamation
    case period, comma, colon, semicolon, at, pound, quote, backtick, backslash
    case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
    case other
}

extension ByteClass {
    /// The classes of all 256 bytes, never changed and never freed.
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
