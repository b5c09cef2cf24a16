// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "CxxJSON.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

using namespace simdjson;

static_assert(A11Y_JSON_PADDING >= SIMDJSON_PADDING);

namespace {

/// Members up to which keys are compared pair by pair; more are sorted first, so that an object
/// full of keys costs no more than its length.
constexpr size_t few_members = 16;

struct Fault {
    const char *words;
};

} // namespace

/// Walks over the places that simdjson has found in a line: those of braces, brackets, colons and
/// commas, and of the first byte of each scalar. Behind a scalar there is nothing but space up to
/// the next of these places, so that only numbers and strings with escapes are looked at byte by
/// byte.
struct a11y_json_reader {
    std::unique_ptr<internal::dom_parser_implementation> indexer;
    /// For the few numbers that are no short integers.
    ondemand::parser numbers;
    /// Room for a token of each place; those behind `count` are of earlier lines.
    std::vector<a11y_json_token> tokens;
    size_t count = 0;
    std::vector<std::string_view> keys;
    std::vector<uint8_t> scratch;
    const uint8_t *line = nullptr;
    /// Behind the last place stands the length of the line.
    const uint32_t *places_end = nullptr;
    bool has_backslash = false;

    void read(uint8_t *bytes, size_t length);
    const uint32_t *members(const uint32_t *at, unsigned depth);
    const uint32_t *elements(const uint32_t *at, unsigned depth);
    const uint32_t *value(const uint32_t *at, unsigned depth);
    std::string_view scalar(const uint32_t *at) const;
    a11y_json_token *string(const uint32_t *at);
    void literal(const uint32_t *at, std::string_view word, uint8_t kind);
    void number(const uint32_t *at);
    void check_number(std::string_view text);
    a11y_json_token *add(const uint8_t *text, size_t length, uint8_t kind, bool escaped);
    void refuse_duplicates(size_t first_key);
    std::string_view meaning(const a11y_json_token &key);
};

namespace {

unsigned hex4(const uint8_t *digits) {
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        unsigned digit = digits[i];
        unsigned nibble;
        if (digit >= '0' && digit <= '9')
            nibble = digit - '0';
        else if ((digit | 32) >= 'a' && (digit | 32) <= 'f')
            nibble = (digit | 32) - 'a' + 10;
        else
            throw Fault{"a string has an escape that JSON does not know"};
        value = value << 4 | nibble;
    }
    return value;
}

/// Checks the escapes of a string that has some; simdjson does so only for strings it decodes.
void check_escapes(std::string_view text) {
    const uint8_t *at = reinterpret_cast<const uint8_t *>(text.data());
    const uint8_t *end = at + text.size();
    bool high = false;
    while (at < end) {
        if (*at != '\\') {
            if (high)
                throw Fault{"a string has a lone surrogate"};
            at++;
            continue;
        }
        if (end - at < 2)
            throw Fault{"a string does not end"};
        if (at[1] != 'u') {
            if (high)
                throw Fault{"a string has a lone surrogate"};
            if (!strchr("\"\\/bfnrt", at[1]) || at[1] == 0)
                throw Fault{"a string has an escape that JSON does not know"};
            at += 2;
            continue;
        }
        if (end - at < 6)
            throw Fault{"a string has an escape that JSON does not know"};
        unsigned unit = hex4(at + 2);
        if (unit == 0)
            throw Fault{"a string has U+0000 in it"};
        bool low = unit >= 0xdc00 && unit <= 0xdfff;
        if (high != low)
            throw Fault{"a string has a lone surrogate"};
        high = unit >= 0xd800 && unit <= 0xdbff;
        at += 6;
    }
    if (high)
        throw Fault{"a string has a lone surrogate"};
}

bool is_short_integer(std::string_view token) {
    size_t at = !token.empty() && token[0] == '-';
    size_t digits = token.size() - at;
    if (digits == 0 || digits > 18 || (token[at] == '0' && digits > 1))
        return false;
    for (; at < token.size(); at++)
        if (token[at] < '0' || token[at] > '9')
            return false;
    return true;
}

} // namespace

/// The text of a scalar, without the space behind it.
std::string_view a11y_json_reader::scalar(const uint32_t *at) const {
    const uint8_t *start = line + at[0], *end = line + at[1];
    while (end > start && end[-1] <= ' '
           && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '\n'))
        end--;
    return {reinterpret_cast<const char *>(start), static_cast<size_t>(end - start)};
}

inline a11y_json_token *a11y_json_reader::add(
    const uint8_t *text, size_t length, uint8_t kind, bool escaped) {
    a11y_json_token *token = &tokens[count++];
    *token = {
        .start = static_cast<uint32_t>(text - line),
        .length = static_cast<uint32_t>(length),
        .end = static_cast<uint32_t>(count),
        .kind = kind,
        .escaped = escaped,
    };
    return token;
}

inline a11y_json_token *a11y_json_reader::string(const uint32_t *at) {
    std::string_view text = scalar(at);
    if (text.size() < 2 || text.back() != '"')
        throw Fault{"a string does not end"};
    text = text.substr(1, text.size() - 2);
    bool escaped = has_backslash && memchr(text.data(), '\\', text.size()) != nullptr;
    if (escaped)
        check_escapes(text);
    auto start = reinterpret_cast<const uint8_t *>(text.data());
    return add(start, text.size(), A11Y_JSON_STRING, escaped);
}

void a11y_json_reader::number(const uint32_t *at) {
    std::string_view text = scalar(at);
    if (!is_short_integer(text))
        check_number(text);
    add(reinterpret_cast<const uint8_t *>(text.data()), text.size(), A11Y_JSON_NUMBER, false);
}

/// Has simdjson read a number, in a list of its own.
void a11y_json_reader::check_number(std::string_view text) {
    constexpr const char *words = "a number is malformed or not finite";
    std::string list = "[" + std::string(text) + "]";
    list.reserve(list.size() + SIMDJSON_PADDING);
    ondemand::document document;
    ondemand::array array;
    if (numbers.iterate(list).get(document) || document.get_array().get(array))
        throw Fault{words};
    size_t found = 0;
    for (auto element : array) {
        double number;
        if (found++ > 0 || element.get_double().get(number))
            throw Fault{words};
    }
    if (found != 1)
        throw Fault{words};
}

void a11y_json_reader::literal(const uint32_t *at, std::string_view word, uint8_t kind) {
    if (scalar(at) != word)
        throw Fault{"a value is none of JSON's kinds"};
    add(line + *at, word.size(), kind, false);
}

const uint32_t *a11y_json_reader::value(const uint32_t *at, unsigned depth) {
    if (at >= places_end)
        throw Fault{"the line is not JSON"};
    switch (line[*at]) {
    case '"': string(at); break;
    case '{': return members(at + 1, depth);
    case '[': return elements(at + 1, depth);
    case 't': literal(at, "true", A11Y_JSON_TRUE); break;
    case 'f': literal(at, "false", A11Y_JSON_FALSE); break;
    case 'n': literal(at, "null", A11Y_JSON_NULL); break;
    default: number(at);
    }
    return at + 1;
}

/// Reads a list from behind its bracket on.
const uint32_t *a11y_json_reader::elements(const uint32_t *at, unsigned depth) {
    if (depth > A11Y_JSON_DEPTH)
        throw Fault{"nested deeper than 32"};
    size_t mine = count;
    add(line + at[-1], 4, A11Y_JSON_ARRAY, false);
    if (at < places_end && line[*at] == ']')
        return at + 1;
    while (true) {
        at = value(at, depth + 1);
        if (at >= places_end || (line[*at] != ',' && line[*at] != ']'))
            throw Fault{"a list is malformed"};
        if (line[*at++] == ']')
            break;
    }
    tokens[mine].end = static_cast<uint32_t>(count);
    return at;
}

/// Reads an object from behind its brace on.
const uint32_t *a11y_json_reader::members(const uint32_t *at, unsigned depth) {
    constexpr const char *words = "an object is malformed";
    if (depth > A11Y_JSON_DEPTH)
        throw Fault{"nested deeper than 32"};
    size_t mine = count;
    add(line, 0, A11Y_JSON_OBJECT, false);
    if (at < places_end && line[*at] == '}')
        return at + 1;
    // The keys of most objects differ in their ends.
    uint64_t seen = 0;
    bool plainly_differ = true;
    while (true) {
        if (at + 1 >= places_end || line[at[0]] != '"' || line[at[1]] != ':')
            throw Fault{words};
        const a11y_json_token *key = string(at);
        // With this factor few of the names that the bus knows come to the same.
        unsigned ends = line[key->start] + 11 * line[key->start + key->length - 1];
        uint64_t bit = uint64_t{1} << (ends & 63);
        plainly_differ &= !(seen & bit) && !key->escaped && key->length > 0;
        seen |= bit;
        at = value(at + 2, depth + 1);
        if (at >= places_end || (line[*at] != ',' && line[*at] != '}'))
            throw Fault{words};
        if (line[*at++] == '}')
            break;
    }
    tokens[mine].end = static_cast<uint32_t>(count);
    if (!plainly_differ)
        refuse_duplicates(mine + 1);
    return at;
}

std::string_view a11y_json_reader::meaning(const a11y_json_token &key) {
    const uint8_t *text = line + key.start;
    if (!key.escaped)
        return {reinterpret_cast<const char *>(text), key.length};
    // Within the capacity that `read` reserved, so that earlier meanings stay where they are.
    size_t before = scratch.size();
    scratch.resize(before + key.length);
    scratch.resize(before + a11y_json_unescape(text, key.length, scratch.data() + before));
    return {reinterpret_cast<const char *>(scratch.data() + before), scratch.size() - before};
}

void a11y_json_reader::refuse_duplicates(size_t first_key) {
    keys.clear();
    scratch.clear();
    for (size_t key = first_key; key < count; key = tokens[key + 1].end)
        keys.push_back(meaning(tokens[key]));
    if (keys.size() <= few_members) {
        for (size_t a = 1; a < keys.size(); a++)
            for (size_t b = 0; b < a; b++)
                if (keys[a] == keys[b])
                    throw Fault{"an object has the same key twice"};
        return;
    }
    std::sort(keys.begin(), keys.end());
    if (std::adjacent_find(keys.begin(), keys.end()) != keys.end())
        throw Fault{"an object has the same key twice"};
}

void a11y_json_reader::read(uint8_t *bytes, size_t length) {
    count = 0;
    line = bytes;
    // Zeros continue nothing in JSON, while a longer line before might.
    memset(bytes + length, 0, A11Y_JSON_PADDING);
    if (scratch.capacity() < length)
        scratch.reserve(length);
    if (length >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf)
        throw Fault{"the line starts with a byte order mark"};
    switch (indexer->stage1(bytes, length, stage1_mode::regular)) {
    case SUCCESS:
        break;
    case UTF8_ERROR:
        throw Fault{"the line is not UTF-8"};
    case UNESCAPED_CHARS:
        throw Fault{"a string has a control character in it"};
    case UNCLOSED_STRING:
        throw Fault{"a string does not end"};
    default:
        throw Fault{"the line is not JSON"};
    }
    const uint32_t *places = indexer->structural_indexes.get();
    places_end = places + indexer->n_structural_indexes;
    if (line[places[0]] != '{')
        throw Fault{"expected one object"};
    if (line[places_end[-1]] != '}')
        throw Fault{"the object does not end"};
    if (tokens.size() < indexer->n_structural_indexes)
        tokens.resize(indexer->n_structural_indexes);
    has_backslash = memchr(bytes, '\\', length) != nullptr;
    if (members(places + 1, 1) != places_end)
        throw Fault{"there is more behind the object"};
}

extern "C" {

a11y_json_reader *a11y_json_reader_new(size_t capacity) {
    try {
        auto reader = new a11y_json_reader;
        if (get_active_implementation()->create_dom_parser_implementation(
                capacity, A11Y_JSON_DEPTH, reader->indexer)) {
            delete reader;
            return nullptr;
        }
        return reader;
    } catch (...) {
        return nullptr;
    }
}

void a11y_json_reader_free(a11y_json_reader *reader) { delete reader; }

const char *a11y_json_read(
    a11y_json_reader *reader, uint8_t *line, size_t length, const a11y_json_token **tokens,
    size_t *count) {
    *tokens = nullptr;
    *count = 0;
    try {
        reader->read(line, length);
    } catch (const Fault &fault) {
        return fault.words;
    } catch (const std::exception &) {
        return "the line is not JSON";
    }
    *tokens = reader->tokens.data();
    *count = reader->count;
    return nullptr;
}

size_t a11y_json_unescape(const uint8_t *string, size_t length, uint8_t *into) {
    const uint8_t *at = string, *end = string + length;
    uint8_t *out = into;
    while (at < end) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        uint8_t letter = at[1];
        at += 2;
        switch (letter) {
        case 'b': *out++ = '\b'; break;
        case 'f': *out++ = '\f'; break;
        case 'n': *out++ = '\n'; break;
        case 'r': *out++ = '\r'; break;
        case 't': *out++ = '\t'; break;
        case 'u': {
            unsigned scalar = hex4(at);
            at += 4;
            if (scalar >= 0xd800 && scalar <= 0xdbff) {
                scalar = 0x10000 + ((scalar - 0xd800) << 10) + (hex4(at + 2) - 0xdc00);
                at += 6;
            }
            if (scalar < 0x80) {
                *out++ = static_cast<uint8_t>(scalar);
            } else if (scalar < 0x800) {
                *out++ = static_cast<uint8_t>(0xc0 | scalar >> 6);
                *out++ = static_cast<uint8_t>(0x80 | (scalar & 0x3f));
            } else if (scalar < 0x10000) {
                *out++ = static_cast<uint8_t>(0xe0 | scalar >> 12);
                *out++ = static_cast<uint8_t>(0x80 | (scalar >> 6 & 0x3f));
                *out++ = static_cast<uint8_t>(0x80 | (scalar & 0x3f));
            } else {
                *out++ = static_cast<uint8_t>(0xf0 | scalar >> 18);
                *out++ = static_cast<uint8_t>(0x80 | (scalar >> 12 & 0x3f));
                *out++ = static_cast<uint8_t>(0x80 | (scalar >> 6 & 0x3f));
                *out++ = static_cast<uint8_t>(0x80 | (scalar & 0x3f));
            }
            break;
        }
        default: *out++ = letter;
        }
    }
    return static_cast<size_t>(out - into);
}

} // extern "C"
