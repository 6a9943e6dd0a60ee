import Testing

@testable import MastodonTimeline

@Suite("Plain text of HTML")
struct PlainTextTests {
    @Test(
        "has paragraphs and lines",
        arguments: [
            ("<p>One</p><p>Two</p>", "One\n\nTwo"),
            ("<p>One<br>Two<br/>Three<br />Four</p>", "One\nTwo\nThree\nFour"),
            ("One<br><br><br>Two", "One\n\nTwo"),
            ("<div>One</div><div>Two</div>", "One\nTwo"),
            ("<br><p></p><p>One</p><p> </p>", "One"),
            ("<p>many   spaces\n and\tlines</p>", "many spaces and lines"),
            ("", ""),
        ]
    )
    func blocks(html: String, text: String) {
        #expect(PlainText(html: html).text == text)
    }

    @Test(
        "has lists, quotations and code",
        arguments: [
            ("<p>Do:</p><ul><li>this</li><li>that</li></ul><p>Now.</p>", "Do:\n\n• this\n• that\n\nNow."),
            ("<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"),
            ("<p>He:</p><blockquote><p>A</p><p>B<br>C</p></blockquote><p>Yes.</p>", "He:\n\n> A\n>\n> B\n> C\n\nYes."),
            ("<pre><code>if a {\n    b\n}\n</code></pre>", "if a {\n    b\n}"),
        ]
    )
    func structures(html: String, text: String) {
        #expect(PlainText(html: html).text == text)
    }

    @Test(
        "has links that can be read",
        arguments: [
            (
                """
                <a href="https://example.org/a/b"><span class="invisible">https://</span>\
                <span class="ellipsis">example.org/a</span><span class="invisible">/b</span></a>
                """, "https://example.org/a/b"
            ),
            (#"<a href="https://example.org">example.org</a>"#, "example.org"),
            (#"See <a href="https://example.org/?a=1&amp;b=2">this</a>."#, "See this (https://example.org/?a=1&b=2)."),
            (#"<a href="https://example.org/@ana" class="u-url mention">@<span>ana</span></a>"#, "@ana"),
            (#"<a class='mention hashtag' href=https://example.org/tags/tea>#<span>tea</span></a>"#, "#tea"),
            (#"<a href="javascript:alert(1)">press</a>"#, "press"),
            (#"<a name="x">anchor</a> <a>none</a> <a href="https://example.org"></a>"#, "anchor none"),
        ]
    )
    func links(html: String, text: String) {
        #expect(PlainText(html: html).text == text)
    }

    @Test(
        "has the characters that are written by name or number",
        arguments: [
            ("it&#39;s &lt;b&gt; &amp;amp; &quot;you&quot;", "it's <b> &amp; \"you\""),
            ("&#x1F41F;&#x1f41f;&hellip;", "🐟🐟…"),
            ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("fish & chips &unknown; &amp &", "fish & chips &unknown; &amp &"),
            ("&#99999999999; &#; &#x;", "&#99999999999; &#; &#x;"),
        ]
    )
    func entities(html: String, text: String) {
        #expect(PlainText(html: html).text == text)
    }

    @Test(
        "keeps what only looks like a tag, and drops what is not meant to be read",
        arguments: [
            ("1 < 2 and 3 > 2 <3", "1 < 2 and 3 > 2 <3"),
            ("a<!-- <b>hidden</b> -->b", "ab"),
            ("<style>p { }</style><script>alert('<p>')</script>text", "text"),
            ("<b>bold</B> <unknown-element a=\"1\" b>kept</unknown-element>", "bold kept"),
            ("cut <a href=\"https://exam", "cut"),
            ("cut <!-- off", "cut"),
            ("</p></ul></blockquote></pre></a>text", "text"),
        ]
    )
    func oddities(html: String, text: String) {
        #expect(PlainText(html: html).text == text)
    }
}
