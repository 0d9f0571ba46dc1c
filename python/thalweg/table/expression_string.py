"""Expression methods on text and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.table.expression_numeric import unary
from thalweg.table.expression_tree import ExpressionBase, call, symbol

if TYPE_CHECKING:
    from thalweg.table.expression import Expression


class StringExpressions(ExpressionBase):
    """Parts, case, padding, patterns, encodings, hashes."""

    __slots__ = ()

    char_length = unary("CHAR_LENGTH", "The number of characters.")
    upper_case = unary("UPPER", "The text in upper case.")
    lower_case = unary("LOWER", "The text in lower case.")
    init_cap = unary("INITCAP", "The text with the first letter of each word in upper case.")
    from_base64 = unary("FROM_BASE64", "The text that base64 stands for.")
    to_base64 = unary("TO_BASE64", "The text in base64.")
    ascii = unary("ASCII", "The code of the first character.")
    chr = unary("CHR", "The character of a code.")
    reverse = unary("REVERSE", "The text backwards.")
    md5 = unary("MD5", "The MD5 hash, in hexadecimal digits.")
    sha1 = unary("SHA1", "The SHA-1 hash, in hexadecimal digits.")
    sha224 = unary("SHA224", "The SHA-224 hash, in hexadecimal digits.")
    sha256 = unary("SHA256", "The SHA-256 hash, in hexadecimal digits.")
    sha384 = unary("SHA384", "The SHA-384 hash, in hexadecimal digits.")
    sha512 = unary("SHA512", "The SHA-512 hash, in hexadecimal digits.")

    def sha2(self, hash_length: Any) -> Expression:
        """The SHA-2 hash of `hash_length` bits, in hexadecimal digits."""
        return self._call("SHA2", hash_length)

    def concat(self, other: Any) -> Expression:
        """Both texts, one after the other."""
        return self._call("CONCAT", other)

    def starts_with(self, start_expr: Any) -> Expression:
        """Whether the text starts with `start_expr`."""
        return self._call("STARTSWITH", start_expr)

    def ends_with(self, end_expr: Any) -> Expression:
        """Whether the text ends with `end_expr`."""
        return self._call("ENDSWITH", end_expr)

    def substring(self, begin_index: Any, length: Any = None) -> Expression:
        """The part from `begin_index` (from 1) on, of at most `length` characters."""
        return self._call("SUBSTRING", begin_index, *(() if length is None else (length,)))

    def substr(self, begin_index: Any, length: Any = None) -> Expression:
        """The same as `substring`."""
        return self._call("SUBSTR", begin_index, *(() if length is None else (length,)))

    def _trim(self, side: str, character: Any) -> Expression:
        return self._make(call("TRIM", symbol(side), " " if character is None else character, self))

    def trim_leading(self, character: Any = None) -> Expression:
        """The text without the leading `character`s, blanks by default."""
        return self._trim("LEADING", character)

    def trim_trailing(self, character: Any = None) -> Expression:
        """The text without the trailing `character`s, blanks by default."""
        return self._trim("TRAILING", character)

    def trim(self, character: Any = None) -> Expression:
        """The text without leading and trailing `character`s, blanks by default."""
        return self._trim("BOTH", character)

    def replace(self, search: Any = None, replacement: Any = None) -> Expression:
        """The text with every `search` replaced."""
        return self._call("REPLACE", search, replacement)

    def translate(self, from_str: Any, to_str: Any) -> Expression:
        """The text with each character of `from_str` replaced by the one of `to_str` at that place."""
        return self._call("TRANSLATE", from_str, to_str)

    def like(self, pattern: Any = None, escape: Any = None) -> Expression:
        """Whether the text matches a pattern with `%` and `_`."""
        return self._call("LIKE", pattern, *(() if escape is None else (escape,)))

    def similar(self, pattern: Any = None) -> Expression:
        """Whether the text matches a SQL regular expression."""
        return self._call("SIMILAR TO", pattern)

    def position(self, haystack: Any = None) -> Expression:
        """Where this text first stands in `haystack`, from 1; 0 where it does not."""
        return self._call("POSITION", haystack)

    def lpad(self, length: Any, pad: Any) -> Expression:
        """The text filled on the left to `length`."""
        return self._call("LPAD", length, pad)

    def rpad(self, length: Any, pad: Any) -> Expression:
        """The text filled on the right to `length`."""
        return self._call("RPAD", length, pad)

    def overlay(self, new_string: Any, starting: Any, length: Any = None) -> Expression:
        """The text with `new_string` put over it at `starting`."""
        return self._call("OVERLAY", new_string, starting, *(() if length is None else (length,)))

    def regexp(self, regex: Any) -> Expression:
        """Whether a part of the text matches `regex`."""
        return self._call("REGEXP", regex)

    def regexp_count(self, regex: Any) -> Expression:
        """How often `regex` matches."""
        return self._call("REGEXP_COUNT", regex)

    def regexp_replace(self, regex: Any, replacement: Any) -> Expression:
        """The text with every match replaced."""
        return self._call("REGEXP_REPLACE", regex, replacement)

    def regexp_extract(self, regex: Any, extract_index: Any = None) -> Expression:
        """The first match, or a group of it."""
        return self._call("REGEXP_EXTRACT", regex, *(() if extract_index is None else (extract_index,)))

    def regexp_extract_all(self, regex: Any, extract_index: Any = None) -> Expression:
        """All matches, or a group of each."""
        return self._call("REGEXP_EXTRACT_ALL", regex, *(() if extract_index is None else (extract_index,)))

    def regexp_instr(self, regex: Any) -> Expression:
        """Where the first match stands, from 1; 0 where there is none."""
        return self._call("REGEXP_INSTR", regex)

    def regexp_substr(self, regex: Any) -> Expression:
        """The first match."""
        return self._call("REGEXP_SUBSTR", regex)

    def decode(self, charset: Any) -> Expression:
        """The bytes as text of a character set."""
        return self._call("DECODE", charset)

    def encode(self, charset: Any) -> Expression:
        """The text as bytes of a character set."""
        return self._call("ENCODE", charset)

    def left(self, length: Any) -> Expression:
        """The first `length` characters."""
        return self._call("LEFT", length)

    def right(self, length: Any) -> Expression:
        """The last `length` characters."""
        return self._call("RIGHT", length)

    def instr(self, s: Any) -> Expression:
        """Where `s` first stands in the text, from 1; 0 where it does not."""
        return self._call("INSTR", s)

    def locate(self, s: Any, pos: Any = None) -> Expression:
        """Where this text first stands in `s`, from `pos` on."""
        return self._call("LOCATE", s, *(() if pos is None else (pos,)))

    def url_decode(self) -> Expression:
        """The text without URL encoding."""
        return self._call("URL_DECODE")

    def url_encode(self) -> Expression:
        """The text in URL encoding."""
        return self._call("URL_ENCODE")

    def inet_aton(self) -> Expression:
        """The number of an IPv4 address."""
        return self._call("INET_ATON")

    def inet_ntoa(self) -> Expression:
        """The IPv4 address of a number."""
        return self._call("INET_NTOA")

    def parse_url(self, part_to_extract: Any, key: Any = None) -> Expression:
        """A part of a URL: HOST, PATH, QUERY (or the value of `key` in it), ..."""
        return self._call("PARSE_URL", part_to_extract, *(() if key is None else (key,)))

    def printf(self, *obj: Any) -> Expression:
        """The values in the text's format."""
        return self._call("PRINTF", *obj)

    def ltrim(self, trim_str: Any = None) -> Expression:
        """The text without leading characters of `trim_str`, blanks by default."""
        return self._call("LTRIM", *(() if trim_str is None else (trim_str,)))

    def rtrim(self, trim_str: Any = None) -> Expression:
        """The text without trailing characters of `trim_str`, blanks by default."""
        return self._call("RTRIM", *(() if trim_str is None else (trim_str,)))

    def btrim(self, trim_str: Any = None) -> Expression:
        """The text without leading and trailing characters of `trim_str`, blanks by default."""
        return self._call("BTRIM", *(() if trim_str is None else (trim_str,)))

    def repeat(self, n: Any) -> Expression:
        """The text `n` times."""
        return self._call("REPEAT", n)

    def split_index(self, separator: Any, index: Any) -> Expression:
        """The part at `index` (from 0) between separators."""
        return self._call("SPLIT_INDEX", separator, index)

    def str_to_map(self, list_delimiter: Any = None, key_value_delimiter: Any = None) -> Expression:
        """A map of the pairs in the text, `k1=v1,k2=v2` by default."""
        if list_delimiter is None and key_value_delimiter is None:
            return self._call("STR_TO_MAP")
        return self._call("STR_TO_MAP", "," if list_delimiter is None else list_delimiter,
                          "=" if key_value_delimiter is None else key_value_delimiter)  # fmt: skip

    def elt(self, expr: Any, *exprs: Any) -> Expression:
        """The argument at this index, from 1."""
        return self._call("ELT", expr, *exprs)

    def split(self, delimiter: Any) -> Expression:
        """An array of the parts between delimiters."""
        return self._call("SPLIT", delimiter)
