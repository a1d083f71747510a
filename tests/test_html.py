"""HTML becomes what Discord shows, text shows as it is, and nothing makes it slow or fail."""

from __future__ import annotations

import html
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bank.formats.html import ImageTag, markdown_of, media_in, pictures_in
from bank.formats.plain_text import as_plain_text

PAGE = MarkdownIt("commonmark")


def seen(markdown: str) -> str:
    """What a reader of `markdown` sees: its text, lines kept, without any mark."""
    words: list[str] = []
    for block in PAGE.parse(markdown):
        assert block.type in ("paragraph_open", "inline", "paragraph_close"), block.type
        for token in block.children or []:
            assert token.type in ("text", "text_special", "softbreak", "hardbreak"), token.type
            words.append("\n" if token.type.endswith("break") else token.content)
    return "".join(words)


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("plain words", "plain words"),
        ("two\n   lines", "two lines"),
        ("a <b> bold </b>word", "a **bold** word"),
        ("<strong>a</strong> <em>b</em> <u>c</u> <s>d</s>", "**a** *b* __c__ ~~d~~"),
        ("un<b>believ</b>able", "un**believ**able"),
        ("<i>a<b>b</b></i>", "*a**b***"),
        ("<i><b>a</b>b</i>", "***a**b*"),
        ("<b>a</b><i>b</i>", "**a**_b_"),
        ("<i>a</i><b>b</b>", "_a_**b**"),
        ("<b>a<br>b</b>", "**a**\n**b**"),
        ("<b>a<p>b</p></b>", "**a**\n\n**b**"),
        ("<b></b>x<b> </b>y", "x y"),
        ("</b>x</i></ul></table></blockquote>", "x"),
        ("<q>word</q>", "“word”"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("one<br><br><br>two", "one\n\ntwo"),
        ("<p>one</p>\n\n<p>two</p>", "one\n\ntwo"),
        ("<p>one &nbsp;</p><p>&nbsp;</p><p>two</p>", "one\n\ntwo"),
        ("<div><div>one</div><div>two</div></div>", "one\n\ntwo"),
        ("<h1>One</h1><h2>Two</h2><h3>Three</h3><h4>Four</h4>x",
         "# One\n\n## Two\n\n### Three\n\n**Four**\n\nx"),
        ("<h2>One<br>line</h2>", "## One line"),
        ("<ul><li>a</li><li>b</li></ul>", "- a\n- b"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("x<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>y", "x\n\n- a\n  - b\n- c\n\ny"),
        ("<ol start=3><li><p>a</p><p>b</p></li><li>c</li></ol>", "3. a\n\n   b\n4. c"),
        ("<ol><li>1. a</li></ol>", "1. 1\\. a"),
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n> b\n\nc"),
        ("<dl><dt>a</dt><dd>b</dd></dl>", "**a**\n\nb"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><p>2</p></td></tr></table>x",
         "**a** | **b**\n1 | 2\n\nx"),
        ('<a href="https://a.b/c_(d)">te[x]t</a>', "[te\\[x\\]t](https://a.b/c_%28d%29)"),
        ('<a href="https://a.b/c_d">https://a.b/c_d</a>', "https://a.b/c_d"),
        ('<a href="javascript:x()">a</a> <a href="/b">c</a> <a href="https://d.e"></a>', "a c"),
        ("<code>a*b_c</code>, <code>`</code>, <tt>x`y</tt>", "`a*b_c`, `` ` ``, ``x`y``"),
        ("<code>a</code><code>b</code>", "`ab`"),
        ("H<sub>2</sub>O, 10<sup>12</sup>, x<sup>n-1</sup>", "H₂O, 10¹², xⁿ⁻¹"),
        ("x<sup>nK</sup>, 2<sup>Q</sup>, a<sub>bc</sub>", "x^(nK), 2^Q, a\\_(bc)"),
        ("a<sup>1<sup>2</sup></sup>3", "a¹²3"),
        ("&#" + "9" * 5000 + ";&#xD800;", "\ufffd\ufffd"),
        ("<sub>a remark</sub>, <sup>™</sup>", "a remark, ™"),
        ("20&deg; &quot;C&quot; &#39;x&#x27; &eacute;", "20° \"C\" 'x' é"),
        ("a<!-- b --><script>c<b></script><STYLE>d</STYLE><![if !x]>e<?xml f?>", "ae"),
        ("List&lt;int&gt; List<int> 1<2 and 3 < 4", "List\\<int> List\\<int> 1<2 and 3 < 4"),
        ("<o:p>a</o:p><my-tag x=1>b</my-tag>", "ab"),
        ("a<img src=x alt=y>b<font color=red>c</font>", "abc"),
    ],
)  # fmt: skip
def test_html_is_shown_as_discord_shows_it(source: str, markdown: str) -> None:
    assert markdown_of(source) == markdown


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("<pre>\n  a\n\n b &lt; c **d** \n</pre>", "```\n  a\n\n b < c **d** \n```"),
        ("a<pre>b<br>c</pre>d", "a\n\n```\nb\nc\n```\n\nd"),
        ('<pre><code class="x language-python">\tif a:\n</code></pre>', "```python\n\tif a:\n```"),
        ('<pre class="brush: java">x</pre>', "```java\nx\n```"),
        ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
        ("<pre> </pre>", ""),
        ("<pre>never closed", "```\nnever closed\n```"),
        ("<ul><li>a<pre>b\n\nc</pre></li></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```"),
    ],
)
def test_code_is_kept_exactly(source: str, markdown: str) -> None:
    assert markdown_of(source) == markdown


@pytest.mark.parametrize(
    "text",
    [
        *("__init__", "2 * 3 * 4", "a_b_c", "#1", "# 1", "1.", "1. x", "12) x", "- x", "-", "+ x"),
        *("---", "===", "> x", "-# x", "`x`", "```", "~~x~~", "~~~", "||x||", "[x](y)", "[x]: y"),
        *("![x](y)", "\\", "a\\", "\\*", "C:\\new", "\\(x_1\\)", "<b>", "</b>", "<!-- x -->"),
        *("<@12>", "<#12>", "<https://x>", "&lt;", "&amp;lt;", "&#65;", "* x", "_", "**", "a|b"),
        *("https://a.b/c_d_e", "x@y.z", "$x$", "{a}", "5 > 4", "x = 1", ":smile:", "~5", "=", "<3"),
    ],
)
def test_text_that_looks_like_markdown_shows_as_it_is(text: str) -> None:
    assert seen(markdown_of(html.escape(text))) == text
    assert seen(as_plain_text(text)) == text


@settings(max_examples=300, deadline=None)
@given(
    st.text(
        st.characters(categories=["L", "N", "P", "S"], exclude_characters="\ufffd") | st.just(" ")
    )
)
def test_any_text_shows_as_it_is(text: str) -> None:
    assert seen(markdown_of(html.escape(text))) == re.sub(" +", " ", text).strip()


@pytest.mark.parametrize("plain", ["3 < 4 & 5", "x", "a  b"])
def test_the_short_way_for_text_without_tags_leads_to_the_same(plain: str) -> None:
    assert markdown_of(plain) == markdown_of(f"<span>{plain}</span>")


def test_pictures_are_told_with_their_alt_texts() -> None:
    source = (
        'a<IMG class=x SRC="a%20b.png?x=1&amp;y=2" alt="two\n words">'
        "<img src='data:image/png;base64,AA=='><!-- <img src=c> --><img alt=none>"
    )
    assert pictures_in(source) == [
        ImageTag("a%20b.png?x=1&y=2", "two words"),
        ImageTag("data:image/png;base64,AA==", ""),
        ImageTag("", "none"),
    ]
    assert markdown_of(source) == "a"


def test_sounds_and_films_are_told() -> None:
    source = (
        '<audio src="a.mp3"></audio><video><source src=b.mp4></video><object data="c"></object>'
    )
    assert media_in(source) == ["a.mp3", "b.mp4", "c"]


WORST = [
    *("<!--", "<a ", "</a", "<![CDATA[", "<?", "&", "&#9", "<script>", "<a x='", '<a ="<a"', "<!"),
    *("<div>", "<b>", "<b><i>x</b>", "<sup>x", "<ul>x", "<ul><li>x", "<blockquote>x", "<", "*"),
    *("_", "[", "](", "\\", " ", "\n", "<br>", "<td>", "<tr>x", "<pre>", "`", "<code>`", "=", "1."),
    *("~", "|", "<x ", "<x>", "https://x ", "<a href='http://x'>y", "<pre>```\n</pre>", "&lt;"),
    *("<p>a <b>b</b> c</p>", "<style></style>", "<b>x<br>", "<h1>x", "<table><tr><td>", "\u2028"),
]


@pytest.mark.parametrize("piece", WORST)
def test_the_time_grows_with_the_length_and_no_faster(piece: str) -> None:
    """1 MB of what is worst: it takes about a second, on a machine that others use, too."""
    source = piece * (10**6 // len(piece))
    begun = time.process_time()
    markdown_of(source)
    pictures_in(source)
    assert time.process_time() - begun < 3


def test_a_hundred_thousand_elements_in_each_other_are_read() -> None:
    assert markdown_of("<div>" * 100_000 + "x") == "x"
    assert markdown_of("<b>" * 100_000 + "x") == "**x**"
    assert markdown_of("<blockquote>" * 100_000 + "x") == "> x"
    assert re.fullmatch(r"[- ]*x", markdown_of("<ul><li>" * 100_000 + "x"))
    assert markdown_of("<table><tr><td>" * 100_000 + "x") == "x"
    assert markdown_of("<pre>" * 100_000 + "x") == "```\nx\n```"


_SOUP = st.lists(
    st.sampled_from(
        [
            *("<b>", "</b>", "<i>", "</i>", "<u>", "<code>", "</code>", "<pre>", "</pre>", "<br>"),
            *("<p>", "</p>", "<ul>", "</ul>", "<ol>", "<li>", "</li>", "<table>", "</table>"),
            *("<tr>", "<td>", "</td>", "<th>", "<a href='https://x.y'>", "</a>", "<sup>", "</sup>"),
            *("<blockquote>", "</blockquote>", "<h1>", "</h1>", "<q>", "<x", "<", ">", "&", "&#"),
            *("<!--", "-->", "<script>", "</script>", "<img src=x", "'", '"', "=", "\\", "`", "*"),
            *(
                "word",
                " ",
                "\n",
                "1. ",
                "- ",
                "&nbsp;",
                "&#99999999999999999999;",
                "&#0;",
                "&#xD800;",
            ),
        ]
    )
    | st.text(max_size=5),
    max_size=40,
).map("".join)


@settings(max_examples=500, deadline=None)
@given(_SOUP)
def test_any_soup_of_tags_becomes_text(source: str) -> None:
    markdown = markdown_of(source)
    pictures_in(source)
    media_in(source)
    PAGE.render(markdown)
    assert markdown == markdown.strip("\n ")
