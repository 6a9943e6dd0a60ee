/// The first byte of each value of a record.
///
/// A record is one value. A value begins with a tag, from which its end is found without knowing its type:
///
/// | Tag | What follows |
/// |---|---|
/// | `null`, `absent`, `false`, `true` | nothing |
/// | `float` | 4 bytes |
/// | `double`, `date` | 8 bytes: the bits of the number, or of the seconds since 2001 |
/// | `uuid` | 16 bytes |
/// | 0x08 to 0x0F | the number of bytes that follow, as a varint |
/// | 0x10 to 0x1F | a number of 1 to 16 bytes that isn't negative |
/// | 0x20 to 0x2F | the bitwise complement of a negative number, in 1 to 16 bytes |
/// | 0x80 to 0xDF | a string of 0 to 95 bytes |
/// | 0xE0 to 0xFF | nothing: the number is 0 to 31 |
///
/// Numbers have the least significant byte first. The content of an array is its values. The content of an object is the
/// number of its ``Shape`` and the values of its members in the order of the shape, or its own shape and the values.
///
/// The format of a stored record never changes. A new kind of value gets a new tag.
enum RecordTag {
    static let null: UInt8 = 0x00
    /// An optional member that is `nil`.
    ///
    /// It is written so that the shape of an object doesn't depend on its optional members. Decoders see no member, as if
    /// nothing were written.
    static let absent: UInt8 = 0x01
    static let `false`: UInt8 = 0x02
    static let `true`: UInt8 = 0x03
    static let float: UInt8 = 0x04
    static let double: UInt8 = 0x05
    static let date: UInt8 = 0x06
    static let uuid: UInt8 = 0x07

    static let firstWithLength: UInt8 = 0x08
    /// The exponent, the sign and the digits of a decimal number.
    static let decimal: UInt8 = 0x08
    static let string: UInt8 = 0x09
    static let data: UInt8 = 0x0A
    static let url: UInt8 = 0x0B
    static let array: UInt8 = 0x0C
    /// An object with the number of its shape.
    static let object: UInt8 = 0x0D
    /// An object with its own shape: the number of its names, and of each name the number of its bytes and the bytes.
    static let namedObject: UInt8 = 0x0E
    static let lastWithLength: UInt8 = 0x0F

    static let positive: UInt8 = 0x10
    static let negative: UInt8 = 0x20
    static let endOfNumbers: UInt8 = 0x30
    static let shortString: UInt8 = 0x80
    static let shortStringLimit = 96
    static let smallNumber: UInt8 = 0xE0
    static let smallNumberLimit = 32
}

/// The limits of records.
enum RecordLimit {
    /// The maximum number of values inside each other, as in payloads.
    ///
    /// Encoding and decoding recurse, and threads have small stacks on some platforms. Unlike the stack's end, the limit is
    /// an error.
    static let depth = 128
    /// The maximum number of bytes of a record.
    ///
    /// Positions in it have 32 bits, so that a decoder needs no memory of its own.
    static let bytes = Int(Int32.max)
    /// The maximum number of shapes that are added to a table.
    ///
    /// Other objects have their own shapes.
    static let shapes = 4_096
    /// The maximum number of different beginnings of shapes.
    static let shapeNodes = 65_536
}
