// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include "CxxToml.h"

#include <algorithm>
#include <deque>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

/// Thrown where toml++ takes something for granted that a text does not give, such as a name behind
/// the bracket of `[%]`. By itself it would abort.
struct Surprise {};

} // namespace

#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? (void)0 : throw Surprise{})
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 1
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
    void fail(toml::source_position at, std::string_view words);
    void walk(const toml::table &table, const std::string &path);
    void list(
        const std::string &path, std::string key, toml::source_position at, const toml::node &node);
    void list_each(const std::string &path, std::string_view key, const toml::array &array);
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

bool surprises(std::string_view text) {
    try {
        (void)toml::parse(text);
        return false;
    } catch (Surprise) {
        return true;
    }
}

/// The place of the character that toml++ did not expect: the last one of the shortest beginning
/// of the text that surprises it.
toml::source_position place_of_surprise(std::string_view text) {
    size_t fine = 0;
    size_t bad = text.size();
    while (bad - fine > 1) {
        size_t half = fine + (bad - fine) / 2;
        (surprises(text.substr(0, half)) ? bad : fine) = half;
    }
    toml::source_position at = {1, 0};
    for (size_t index = 0; index < bad; index++) {
        bool is_first_byte = (text[index] & 0xc0) != 0x80;
        at.column += is_first_byte;
        if (text[index] == '\n' && index + 1 < bad)
            at = {at.line + 1, 0};
    }
    return at;
}

} // namespace

void a11y_toml::fail(toml::source_position at, std::string_view reason) {
    words = reason;
    failed = true;
    fault = {.line = at.line, .column = at.column, .words = words.c_str()};
}

void a11y_toml::read(std::string_view text) {
    try {
        toml::parse_result result = toml::parse(text);
        if (!result) {
            fail(result.error().source().begin, result.error().description());
            return;
        }
        root = std::move(result).table();
    } catch (Surprise) {
        fail(place_of_surprise(text), "Expected something else here, such as a name");
        return;
    }
    walk(root, {});
    // toml++ keeps its tables sorted by name; a reader of complaints goes from top to bottom.
    std::sort(entries.begin(), entries.end(), stands_before);
}

void a11y_toml::walk(const toml::table &table, const std::string &path) {
    for (const auto &[key, node] : table) {
        const toml::array *array = node.as_array();
        if (array && is_array_of_tables(*array))
            list_each(path, key.str(), *array);
        else
            list(path, std::string(key.str()), key.source().begin, node);
    }
}

void a11y_toml::list_each(const std::string &path, std::string_view key, const toml::array &array) {
    size_t place = 0;
    for (const toml::node &node : array) {
        const std::string item = std::string(key) + "[" + std::to_string(place++) + "]";
        list(path, item, node.source().begin, node);
    }
}

void a11y_toml::list(
    const std::string &path, std::string key, toml::source_position at, const toml::node &node) {
    const std::string &in = texts.emplace_back(path);
    const std::string &name = texts.emplace_back(std::move(key));
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
        walk(*table, path.empty() ? name : path + "." + name);
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
