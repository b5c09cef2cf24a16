// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "CxxJSON.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
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

struct a11y_json_reader {
    ondemand::parser parser;
    std::vector<a11y_json_token> tokens;
    std::vector<std::string_view> keys;
    std::vector<uint8_t> scratch;
    const uint8_t *line = nullptr;
    const uint8_t *line_end = nullptr;

    void read(uint8_t *bytes, size_t length);
    void check_bounds(std::string_view token) const;
    void key(ondemand::field &field);
    void value(ondemand::value value, unsigned depth);
    void members(ondemand::object object, unsigned depth);
    void string(std::string_view token);
    void add_string(const uint8_t *text, size_t length, bool escaped);
    bool plainly_differ(size_t first_key) const;
    void refuse_duplicates(size_t first_key);
    std::string_view meaning(const a11y_json_token &key);
    void number(ondemand::value &value, std::string_view token);
};

namespace {

template <typename T> T unwrap(simdjson_result<T> result, const char *words) {
    T value;
    if (std::move(result).get(value))
        throw Fault{words};
    return value;
}

std::string_view without_space_behind(std::string_view token) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!token.empty() && is_space(token.back()))
        token.remove_suffix(1);
    return token;
}

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

/// Refuses a token that is not wholly in the line, before anything of it is read.
///
/// In a list that does not end, simdjson steps on behind the last of its indexes: to the end of the
/// line, then to its start, then to places in an earlier line. The length that it states for these
/// is none.
void a11y_json_reader::check_bounds(std::string_view token) const {
    auto start = reinterpret_cast<uintptr_t>(token.data());
    auto first = reinterpret_cast<uintptr_t>(line), end = reinterpret_cast<uintptr_t>(line_end);
    if (token.empty() || start < first || start >= end || token.size() > end - start)
        throw Fault{"the line is not JSON"};
}

void a11y_json_reader::string(std::string_view token) {
    token = without_space_behind(token);
    if (token.size() < 2 || token.back() != '"')
        throw Fault{"a string does not end"};
    std::string_view text = token.substr(1, token.size() - 2);
    bool escaped = memchr(text.data(), '\\', text.size()) != nullptr;
    if (escaped)
        check_escapes(text);
    add_string(reinterpret_cast<const uint8_t *>(text.data()), text.size(), escaped);
}

void a11y_json_reader::add_string(const uint8_t *text, size_t length, bool escaped) {
    tokens.push_back({
        .start = static_cast<uint32_t>(text - line),
        .length = static_cast<uint32_t>(length),
        .end = static_cast<uint32_t>(tokens.size() + 1),
        .kind = A11Y_JSON_STRING,
        .escaped = escaped,
    });
}

void a11y_json_reader::number(ondemand::value &value, std::string_view token) {
    token = without_space_behind(token);
    if (!is_short_integer(token))
        unwrap(value.get_double(), "a number is malformed or not finite");
    tokens.push_back({
        .start = static_cast<uint32_t>(reinterpret_cast<const uint8_t *>(token.data()) - line),
        .length = static_cast<uint32_t>(token.size()),
        .end = static_cast<uint32_t>(tokens.size() + 1),
        .kind = A11Y_JSON_NUMBER,
        .escaped = 0,
    });
}

void a11y_json_reader::value(ondemand::value value, unsigned depth) {
    std::string_view token = value.raw_json_token();
    check_bounds(token);
    size_t mine = tokens.size();
    a11y_json_token scalar = {
        .start = static_cast<uint32_t>(reinterpret_cast<const uint8_t *>(token.data()) - line),
        .length = 4,
        .end = static_cast<uint32_t>(mine + 1),
        .kind = 0,
        .escaped = 0,
    };
    switch (token[0]) {
    case '{':
        members(unwrap(value.get_object(), "an object is malformed"), depth);
        break;
    case '[':
        if (depth > A11Y_JSON_DEPTH)
            throw Fault{"nested deeper than 32"};
        scalar.kind = A11Y_JSON_ARRAY;
        tokens.push_back(scalar);
        for (auto element : unwrap(value.get_array(), "a list is malformed"))
            this->value(unwrap(std::move(element), "a list is malformed"), depth + 1);
        tokens[mine].end = static_cast<uint32_t>(tokens.size());
        break;
    case '"':
        // Consumed here, because simdjson takes a string that is left unread before a colon for a
        // key.
        unwrap(value.get_raw_json_string(), "a string does not end");
        string(token);
        break;
    case 't':
    case 'f': {
        bool yes = unwrap(value.get_bool(), "a value is none of JSON's kinds");
        scalar.kind = yes ? A11Y_JSON_TRUE : A11Y_JSON_FALSE;
        scalar.length = yes ? 4 : 5;
        tokens.push_back(scalar);
        break;
    }
    case 'n':
        if (without_space_behind(token) != "null")
            throw Fault{"a value is none of JSON's kinds"};
        if (!unwrap(simdjson_result<bool>(value.is_null()), "a value is none of JSON's kinds"))
            throw Fault{"a value is none of JSON's kinds"};
        scalar.kind = A11Y_JSON_NULL;
        tokens.push_back(scalar);
        break;
    default:
        number(value, token);
    }
}

/// Adds a key, whose raw text has no length of its own: it ends at the quote before its colon.
void a11y_json_reader::key(ondemand::field &field) {
    const uint8_t *text = reinterpret_cast<const uint8_t *>(field.key().raw());
    check_bounds({reinterpret_cast<const char *>(text) - 1, 2});
    const uint8_t *quote = text;
    bool escaped = false;
    while (quote < line_end && *quote != '"') {
        escaped |= *quote == '\\';
        quote += *quote == '\\' ? 2 : 1;
    }
    if (quote >= line_end)
        throw Fault{"the line is not JSON"};
    size_t length = static_cast<size_t>(quote - text);
    if (escaped)
        check_escapes({reinterpret_cast<const char *>(text), length});
    add_string(text, length, escaped);
}

void a11y_json_reader::members(ondemand::object object, unsigned depth) {
    if (depth > A11Y_JSON_DEPTH)
        throw Fault{"nested deeper than 32"};
    size_t mine = tokens.size();
    tokens.push_back({.start = 0, .length = 0, .end = 0, .kind = A11Y_JSON_OBJECT, .escaped = 0});
    for (auto member : object) {
        ondemand::field field = unwrap(std::move(member), "an object is malformed");
        key(field);
        this->value(field.value(), depth + 1);
    }
    tokens[mine].end = static_cast<uint32_t>(tokens.size());
    refuse_duplicates(mine + 1);
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

/// Whether the keys of an object differ in their ends, as those of most objects do.
bool a11y_json_reader::plainly_differ(size_t first_key) const {
    uint64_t seen = 0;
    for (size_t key = first_key; key < tokens.size(); key = tokens[key + 1].end) {
        const a11y_json_token &token = tokens[key];
        if (token.escaped || token.length == 0)
            return false;
        // With this factor few of the names that the bus knows come to the same.
        unsigned ends = line[token.start] + 11 * line[token.start + token.length - 1];
        uint64_t bit = uint64_t{1} << (ends & 63);
        if (seen & bit)
            return false;
        seen |= bit;
    }
    return true;
}

void a11y_json_reader::refuse_duplicates(size_t first_key) {
    if (plainly_differ(first_key))
        return;
    keys.clear();
    scratch.clear();
    for (size_t key = first_key; key < tokens.size(); key = tokens[key + 1].end)
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
    tokens.clear();
    line = bytes;
    line_end = bytes + length;
    // Zeros continue nothing in JSON, while a longer line before might.
    memset(bytes + length, 0, A11Y_JSON_PADDING);
    if (scratch.capacity() < length)
        scratch.reserve(length);
    if (length >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf)
        throw Fault{"the line starts with a byte order mark"};
    ondemand::document document;
    switch (parser.iterate(bytes, length, length + SIMDJSON_PADDING).get(document)) {
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
    ondemand::object object;
    switch (document.get_object().get(object)) {
    case SUCCESS:
        break;
    case INCOMPLETE_ARRAY_OR_OBJECT:
        throw Fault{"the object does not end"};
    default:
        throw Fault{"expected one object"};
    }
    members(object, 1);
    const char *behind;
    if (document.current_location().get(behind) != OUT_OF_BOUNDS)
        throw Fault{"there is more behind the object"};
}

extern "C" {

a11y_json_reader *a11y_json_reader_new(size_t capacity) {
    try {
        auto reader = new a11y_json_reader;
        if (reader->parser.allocate(capacity)) {
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
    *count = reader->tokens.size();
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
