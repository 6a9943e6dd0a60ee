/// The text of a piece of HTML as a person reads it: no tags, paragraphs apart, links with their addresses.
struct PlainText {
    private(set) var text = ""

    /// The line ends and the space that come before the next word, if there is one.
    private var pendingLineEnds = 0
    private var pendingSpace = false

    private var quoteDepth = 0
    /// How deep in quotations an empty line before the next word is: as deep as what it parts, where that has one depth.
    private var pendingQuoteDepth = 0
    private var preformattedDepth = 0
    private var hiddenDepth = 0
    /// The lists around the text; the number of the last item, or `nil` in a list without numbers.
    private var lists: [Int?] = []
    private var link: Link?

    private struct Link {
        let address: String
        let isNameOfSomething: Bool
        var text = ""
    }

    init(html: String) {
        for token in HTMLReader(html) {
            switch token {
            case .text(let text): append(text)
            case .open(let name, let attributes): open(name, attributes)
            case .close(let name): close(name)
            }
        }
    }

    private mutating func open(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "br": endLines(pendingLineEnds + 1)
        case "p", "h1", "h2", "h3", "h4", "h5", "h6": endLines(2)
        case "div": endLines(1)
        case "ul", "ol":
            endLines(lists.isEmpty ? 2 : 1)
            lists.append(name == "ol" ? 0 : nil)
        case "li":
            endLines(1)
            append(nextItemMark())
        case "blockquote":
            endLines(2)
            quoteDepth += 1
        case "pre":
            endLines(2)
            preformattedDepth += 1
        case "script", "style": hiddenDepth += 1
        case "a":
            // Mentions and hashtags are links to what they name, and the name is enough.
            let classes = attributes["class", default: ""].split(separator: " ")
            let isName = classes.contains("mention") || classes.contains("hashtag")
            link = Link(address: attributes["href", default: ""], isNameOfSomething: isName)
        default: break
        }
    }

    private mutating func close(_ name: String) {
        switch name {
        case "p", "h1", "h2", "h3", "h4", "h5", "h6": endLines(2)
        case "div", "li": endLines(1)
        case "ul", "ol":
            _ = lists.popLast()
            endLines(lists.isEmpty ? 2 : 1)
        case "blockquote":
            quoteDepth = max(0, quoteDepth - 1)
            endLines(2)
        case "pre":
            endLines(2)
            preformattedDepth = max(0, preformattedDepth - 1)
        case "script", "style": hiddenDepth = max(0, hiddenDepth - 1)
        case "a": closeLink()
        default: break
        }
    }

    private mutating func closeLink() {
        guard let link else { return }
        self.link = nil
        guard !link.isNameOfSomething, link.address.hasPrefix("http"), !link.text.isEmpty else { return }
        // Servers put the whole address between the tags and hide its ends; then there is nothing to add.
        let withoutScheme = link.address.split(separator: "://", maxSplits: 1).last.map(String.init) ?? link.address
        if link.text != link.address, link.text != withoutScheme { append(" (\(link.address))") }
    }

    /// Has the next word begin on another line; after two line ends, there is an empty line before it.
    private mutating func endLines(_ count: Int) {
        pendingQuoteDepth = pendingLineEnds == 0 ? quoteDepth : min(pendingQuoteDepth, quoteDepth)
        pendingLineEnds = max(pendingLineEnds, count)
    }

    private mutating func nextItemMark() -> String {
        guard let number = lists.popLast() else { return "• " }
        lists.append(number.map { $0 + 1 })
        return number.map { "\($0 + 1). " } ?? "• "
    }

    private mutating func append(_ string: String) {
        guard hiddenDepth == 0 else { return }
        link?.text += string
        for character in string {
            if preformattedDepth > 0, character.isNewline {
                endLines(pendingLineEnds + 1)
            } else if preformattedDepth == 0, character.isWhitespace, character != "\u{A0}" {
                pendingSpace = true
            } else {
                appendPendingWhitespace()
                text.append(character)
            }
        }
    }

    private mutating func appendPendingWhitespace() {
        func marks(_ depth: Int) -> String { String(repeating: "> ", count: depth) }
        if text.isEmpty {
            text = marks(quoteDepth)
        } else if pendingLineEnds > 0 {
            if pendingLineEnds > 1 { text += "\n" + marks(pendingQuoteDepth).dropLast() }
            text += "\n" + marks(quoteDepth)
        } else if pendingSpace {
            text += " "
        }
        (pendingLineEnds, pendingSpace) = (0, false)
    }
}
