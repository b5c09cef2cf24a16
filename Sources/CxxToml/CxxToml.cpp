// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "CxxToml.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

/// Thrown where toml++ takes something for granted that a text does not give. By itself it would
/// abort.
struct Surprise {};

} // namespace

#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? (void)0 : throw Surprise{})
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 1
#define TOML_MAX_NESTED_VALUES A11Y_TOML_LEVELS
#include <toml++/toml.h>

struct a11y_toml {
    toml::table root;
    a11y_toml_fault fault = {};
    bool failed = false;
    std::string words;
    /// Texts that the list points to. A deque, because it never moves what it holds.
    std::deque<std::string> texts;
    std::deque<std::vector<a11y_toml_value>> arrays;
    std::vector<a11y_toml_entry> entries;

    void read(std::string_view text);
    void look(std::string_view text);
    void fail(toml::source_position at, std::string_view words);
    void refuse(toml::source_position at, std::string_view things, size_t most);
    void walk(const toml::table &table, const std::string &path, int level);
    void list(const std::string &path, std::string key, toml::source_position at,
        const toml::node &node, int level);
    void list_each(
        const std::string &path, std::string_view key, const toml::array &array, int level);
    void list_items(a11y_toml_entry &entry, const toml::array &array);
};

namespace {

uint8_t kind_of(const toml::node &node) {
    switch (node.type()) {
    case toml::node_type::table: return A11Y_TOML_TABLE;
    case toml::node_type::array: return A11Y_TOML_ARRAY;
    case toml::node_type::string: return A11Y_TOML_STRING;
    case toml::node_type::integer: return A11Y_TOML_INTEGER;
    case toml::node_type::floating_point: return A11Y_TOML_FLOAT;
    case toml::node_type::boolean: return A11Y_TOML_BOOLEAN;
    default: return A11Y_TOML_TIME;
    }
}

a11y_toml_value value_of(const toml::node &node) {
    toml::source_position at = node.source().begin;
    a11y_toml_value value = {};
    value.kind = kind_of(node);
    value.line = at.line;
    value.column = at.column;
    if (const auto *string = node.as_string()) {
        value.string = string->get().data();
        value.length = string->get().size();
    } else if (const auto *integer = node.as_integer()) {
        value.integer = integer->get();
    } else if (const auto *number = node.as_floating_point()) {
        value.number = number->get();
    } else if (const auto *boolean = node.as_boolean()) {
        value.integer = boolean->get();
    }
    return value;
}

bool is_array_of_tables(const toml::array &array) {
    return !array.empty() && array.is_homogeneous(toml::node_type::table);
}

/// Of the tables that one head such as `[a.b]` opens, all at one place, the outer stands first.
bool stands_before(const a11y_toml_entry &one, const a11y_toml_entry &other) {
    return std::tie(one.line, one.column, one.path_length)
        < std::tie(other.line, other.column, other.path_length);
}

bool is_of_bare_key(char byte) {
    return isalnum(static_cast<unsigned char>(byte)) || byte == '_' || byte == '-';
}

/// A text, byte by byte, with strings and comments passed over.
class Looking {
public:
    explicit Looking(std::string_view text) : text(text) {}

    toml::source_position place = {1, 0};

    /// The next byte that is no part of a string or comment; none at the end.
    std::optional<char> next() {
        for (; index < text.size(); step()) {
            if (quote)
                pass_string();
            else if (text[index] == '#')
                is_comment = true;
            else if (!is_comment && (text[index] == '"' || text[index] == '\''))
                open();
            else if (!is_comment || text[index] == '\n')
                return take();
        }
        return std::nullopt;
    }

private:
    std::string_view text;
    size_t index = 0;
    /// The mark that ends the string; 0 outside of strings.
    char quote = 0;
    bool is_long = false;
    bool is_comment = false;

    char take() {
        char byte = text[index];
        if (byte == '\n')
            is_comment = false;
        step();
        return byte;
    }

    void step() {
        if (index > 0 && text[index - 1] == '\n')
            place = {place.line + 1, 0};
        bool is_first_byte = (text[index] & 0xc0) != 0x80;
        place.column += is_first_byte;
        index++;
    }

    bool is_triple() const {
        return text.substr(index, 3) == std::string(3, text[index]);
    }

    void open() {
        quote = text[index];
        is_long = is_triple();
        if (is_long) {
            step();
            step();
        }
    }

    void pass_string() {
        char byte = text[index];
        if (byte == '\\' && quote == '"' && index + 1 < text.size()) {
            step();
        } else if (byte == '\n' && !is_long) {
            quote = 0;
        } else if (byte == quote && (!is_long || is_triple())) {
            // The last marks of a row end a long string; one or two before them belong to it.
            while (is_long && index + 1 < text.size() && text[index + 1] == quote)
                step();
            quote = 0;
        }
    }
};

} // namespace

void a11y_toml::fail(toml::source_position at, std::string_view reason) {
    words = reason;
    failed = true;
    fault = {
        .line = at.line, .column = at.column, .is_too_large = false, .words = words.c_str()};
}

void a11y_toml::refuse(toml::source_position at, std::string_view things, size_t most) {
    fail(at,
        "expected at most " + std::to_string(most) + " " + std::string(things)
            + "; there are more");
    fault.is_too_large = true;
}

/// Looks for what would take toml++ too long, too deep, or by surprise, before it reads the text.
void a11y_toml::look(std::string_view text) {
    Looking looking(text);
    size_t parts = 1;
    size_t marks = 0;
    size_t open = 0;
    bool is_line_empty = true;
    bool awaits_name = false;
    while (auto byte = looking.next()) {
        if (*byte == ' ' || *byte == '\t')
            continue;
        if (awaits_name && *byte != '[') {
            awaits_name = false;
            if (*byte != ']' && !is_of_bare_key(*byte))
                return fail(looking.place, "expected a name behind [");
        }
        awaits_name = awaits_name || (*byte == '[' && is_line_empty && open == 0);
        is_line_empty = *byte == '\n';
        switch (*byte) {
        case '.':
            marks++;
            parts++;
            break;
        case '[':
        case '{': open++; [[fallthrough]];
        case '=':
        case ',':
            marks++;
            parts = 1;
            break;
        case ']':
        case '}': open -= open > 0; break;
        case '\n': parts = 1; break;
        default: break;
        }
        if (parts > A11Y_TOML_PARTS)
            return refuse(looking.place, "parts of a key", A11Y_TOML_PARTS);
        if (marks > A11Y_TOML_VALUES)
            return refuse(looking.place, "tables and values", A11Y_TOML_VALUES);
    }
}

void a11y_toml::read(std::string_view text) {
    look(text);
    if (failed)
        return;
    try {
        toml::parse_result result = toml::parse(text);
        if (!result) {
            fail(result.error().source().begin, result.error().description());
            return;
        }
        root = std::move(result).table();
    } catch (Surprise) {
        fail({1, 1}, "something in this file surprises toml++");
        return;
    }
    walk(root, {}, 1);
    if (failed)
        return entries.clear();
    // toml++ keeps its tables sorted by name; a reader of complaints goes from top to bottom.
    std::sort(entries.begin(), entries.end(), stands_before);
}

void a11y_toml::walk(const toml::table &table, const std::string &path, int level) {
    for (const auto &[key, node] : table) {
        if (level > A11Y_TOML_LEVELS)
            return refuse(key.source().begin, "levels", A11Y_TOML_LEVELS);
        const toml::array *array = node.as_array();
        if (array && is_array_of_tables(*array))
            list_each(path, key.str(), *array, level);
        else
            list(path, std::string(key.str()), key.source().begin, node, level);
    }
}

void a11y_toml::list_each(
    const std::string &path, std::string_view key, const toml::array &array, int level) {
    size_t place = 0;
    for (const toml::node &node : array) {
        const std::string item = std::string(key) + "[" + std::to_string(place++) + "]";
        list(path, item, node.source().begin, node, level);
    }
}

void a11y_toml::list(const std::string &path, std::string key, toml::source_position at,
    const toml::node &node, int level) {
    const std::string &in = texts.emplace_back(path);
    const std::string &name = texts.emplace_back(std::move(key));
    if (in.size() + name.size() > A11Y_TOML_NAME)
        return refuse(at, "bytes of a name with its tables", A11Y_TOML_NAME);
    a11y_toml_entry entry = {
        .path = in.data(),
        .path_length = in.size(),
        .key = name.data(),
        .key_length = name.size(),
        .line = at.line,
        .column = at.column,
        .value = value_of(node),
        .items = nullptr,
        .item_count = 0,
    };
    if (const toml::array *array = node.as_array())
        list_items(entry, *array);
    entries.push_back(entry);
    if (const toml::table *table = node.as_table())
        walk(*table, path.empty() ? name : path + "." + name, level + 1);
}

void a11y_toml::list_items(a11y_toml_entry &entry, const toml::array &array) {
    std::vector<a11y_toml_value> &items = arrays.emplace_back();
    for (const toml::node &node : array)
        items.push_back(value_of(node));
    entry.items = items.empty() ? nullptr : items.data();
    entry.item_count = items.size();
}

extern "C" {

a11y_toml *a11y_toml_read(const char *text, size_t length) {
    auto *toml = new (std::nothrow) a11y_toml;
    if (!toml)
        return nullptr;
    try {
        toml->read({text, length});
    } catch (...) {
        delete toml;
        return nullptr;
    }
    return toml;
}

void a11y_toml_free(a11y_toml *toml) {
    delete toml;
}

const a11y_toml_fault *a11y_toml_error(const a11y_toml *toml) {
    return toml->failed ? &toml->fault : nullptr;
}

const a11y_toml_entry *a11y_toml_entries(const a11y_toml *toml, size_t *count) {
    *count = toml->entries.size();
    return toml->entries.empty() ? nullptr : toml->entries.data();
}

} // extern "C"
