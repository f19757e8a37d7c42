/* SPDX-License-Identifier: MIT */
/* The public API for C++17: thin owners of the library's objects, header only. Nothing is hidden:
 * every class gives its C object by get(), takes one over by its constructor and gives it away by
 * release(), so C functions can be used beside the methods.
 *
 * No exceptions are needed. What can fail returns a cairn::result, which is true when it worked and
 * otherwise has the status and the message:
 *
 *     auto ctx = cairn::context::make();
 *     auto table = cairn::table::read(*ctx, "weather.csv");
 *     if (!table) return complain(table.message());
 *
 * With CAIRN_EXCEPTIONS defined before this header, value() of a result that failed throws a
 * cairn::error; without it, value() of a failed result is a mistake of the program, which an
 * assertion finds when NDEBUG is not defined.
 *
 * Objects are moved, not copied. A context serves one thread at a time; models may be shared by
 * threads that have a context each. */
#ifndef CAIRN_CAIRN_HPP
#define CAIRN_CAIRN_HPP

#include "cairn/cairn.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#ifdef CAIRN_EXCEPTIONS
#include <stdexcept>
#endif

namespace cairn
{

#ifdef CAIRN_EXCEPTIONS
/* What value() of a failed result throws. */
class error : public std::runtime_error
{
public:
    error(cairn_status status, const std::string &message)
        : std::runtime_error(message), status_(status)
    {
    }
    cairn_status status() const noexcept { return status_; }

private:
    cairn_status status_;
};
#endif

/* How a call ended: CAIRN_OK, or a status with the sentence for the user. */
class outcome
{
public:
    outcome() = default;
    outcome(cairn_status status, const char *message) : status_(status)
    {
        if (status != CAIRN_OK) message_ = message;
    }
    explicit operator bool() const noexcept { return status_ == CAIRN_OK; }
    cairn_status status() const noexcept { return status_; }
    const std::string &message() const noexcept { return message_; }

protected:
    void expect() const
    {
#ifdef CAIRN_EXCEPTIONS
        if (status_ != CAIRN_OK) throw error(status_, message_);
#else
        assert(status_ == CAIRN_OK);
#endif
    }

private:
    cairn_status status_ = CAIRN_OK;
    std::string message_;
};

/* What a call gives, or why not. */
template <class T> class [[nodiscard]] result : public outcome
{
public:
    result(T value) : value_(std::move(value)) {}
    result(const outcome &failure) : outcome(failure) {}

    T &value() &
    {
        expect();
        return *value_;
    }
    const T &value() const &
    {
        expect();
        return *value_;
    }
    T value() &&
    {
        expect();
        return std::move(*value_);
    }
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T operator*() && { return std::move(*this).value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }

private:
    std::optional<T> value_;
};

template <> class [[nodiscard]] result<void> : public outcome
{
public:
    result() = default;
    result(const outcome &made) : outcome(made) {}
    void value() const { expect(); }
};

/* A text that ends with 0, from either kind of string; nullptr where a function allows it. */
class text
{
public:
    text(const char *chars) noexcept : chars_(chars) {}
    text(const std::string &string) noexcept : chars_(string.c_str()) {}
    text(std::nullptr_t) noexcept {}
    const char *get() const noexcept { return chars_; }

private:
    const char *chars_ = nullptr;
};

/* An owner of one object of the library. */
template <class T, void (*Free)(T *)> class owner
{
public:
    owner() = default;
    explicit owner(T *object) noexcept : object_(object) {}
    owner(owner &&other) noexcept : object_(other.release()) {}
    owner &operator=(owner &&other) noexcept
    {
        if (this != &other) {
            Free(object_);
            object_ = other.release();
        }
        return *this;
    }
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;
    ~owner() { Free(object_); }

    T *get() const noexcept { return object_; }
    T *release() noexcept { return std::exchange(object_, nullptr); }
    explicit operator bool() const noexcept { return object_ != nullptr; }

private:
    T *object_ = nullptr;
};

/* Bytes that the library allocated: printed reports, exported and saved models. */
class bytes : public owner<char, cairn_string_free>
{
public:
    bytes() = default;
    bytes(char *data, std::size_t size) noexcept : owner(data), size_(size) {}
    std::string_view view() const noexcept { return get() ? std::string_view(get(), size_) : ""; }
    std::size_t size() const noexcept { return size_; }

private:
    std::size_t size_ = 0;
};

/* Threads, seed, log, progress, cancelling, memory and the last message: one for each thread that
 * calls the library. */
class context : public owner<cairn_context, cairn_context_free>
{
public:
    using owner::owner;

    static result<context> make(const cairn_allocator *allocator = nullptr)
    {
        cairn_context *made = nullptr;
        cairn_status status = cairn_context_new(&made, allocator);
        if (status != CAIRN_OK) return outcome(status, cairn_message(nullptr));
        return context(made);
    }

    const char *message() const noexcept { return cairn_message(get()); }
    void set_threads(int threads) noexcept { cairn_context_set_threads(get(), threads); }
    int threads() const noexcept { return cairn_context_threads(get()); }
    void set_seed(std::uint64_t seed) noexcept { cairn_context_set_seed(get(), seed); }
    std::uint64_t seed() const noexcept { return cairn_context_seed(get()); }
    void set_memory(std::size_t most) noexcept { cairn_context_set_memory(get(), most); }
    void set_log(cairn_log_function log, void *data) noexcept
    {
        cairn_context_set_log(get(), log, data);
    }
    void set_progress(cairn_progress_function progress, void *data) noexcept
    {
        cairn_context_set_progress(get(), progress, data);
    }
    void set_ask(cairn_ask_function ask, void *data) noexcept
    {
        cairn_context_set_ask(get(), ask, data);
    }
    result<void> set_limit(cairn_limit which, std::uint64_t value)
    {
        return ended(cairn_context_set_limit(get(), which, value));
    }
    std::uint64_t limit(cairn_limit which) const noexcept
    {
        return cairn_context_limit(get(), which);
    }
    void cancel() noexcept { cairn_context_cancel(get()); }
    void resume() noexcept { cairn_context_resume(get()); }

    /* How a C function that was called with this context ended. */
    outcome ended(cairn_status status) const { return outcome(status, message()); }

    /* Call a function that fills a T **, and own what it gives: ctx.made<table>(cairn_table_new,
     * n_rows). */
    template <class Owner, class T, class... Formal, class... Given>
    result<Owner> made(cairn_status (*function)(cairn_context *, T **, Formal...), Given &&...given)
    {
        T *object = nullptr;
        cairn_status status = function(get(), &object, std::forward<Given>(given)...);
        if (status != CAIRN_OK) return ended(status);
        return Owner(object);
    }
};

namespace detail
{

/* The list that C functions take: pointers, and a null behind them. */
inline std::vector<const char *> listed(const std::vector<std::string> &words)
{
    std::vector<const char *> out;
    out.reserve(words.size() + 1);
    for (const std::string &word : words) out.push_back(word.c_str());
    out.push_back(nullptr);
    return out;
}

} // namespace detail

/* A table of columns. Methods that make another table leave this one as it is. */
class table : public owner<cairn_table, cairn_table_free>
{
public:
    using owner::owner;

    static result<table> read(context &ctx, text path, const cairn_read_options *options = nullptr)
    {
        return ctx.made<table>(cairn_table_read, path.get(), options);
    }
    static result<table> read_memory(context &ctx, text name, std::string_view content,
                                     const cairn_read_options *options = nullptr)
    {
        return ctx.made<table>(cairn_table_read_memory, name.get(), content.data(), content.size(),
                               options);
    }
    static result<table> make(context &ctx, std::size_t n_rows)
    {
        return ctx.made<table>(cairn_table_new, n_rows);
    }
    static result<table> generate(context &ctx, text shape, text settings = nullptr)
    {
        return ctx.made<table>(cairn_table_generate, shape.get(), settings.get());
    }
    static result<table> from_arrow(context &ctx, ArrowSchema *schema, ArrowArray *array)
    {
        return ctx.made<table>(cairn_table_from_arrow, schema, array);
    }
    static result<table> from_arrow(context &ctx, ArrowArrayStream *stream)
    {
        return ctx.made<table>(cairn_table_from_arrow_stream, stream);
    }

    /* Of a matrix of the caller, copied or lent: cairn/columns.h. No names: x1, x2 ... */
    static result<table> from_matrix(context &ctx, const cairn_matrix &matrix,
                                     const std::vector<std::string> &names = {})
    {
        return ctx.made<table>(cairn_table_from_matrix, &matrix,
                               names.empty() ? nullptr : detail::listed(names).data());
    }
    static result<table> lend_matrix(context &ctx, const cairn_matrix &matrix,
                                     const std::vector<std::string> &names = {},
                                     cairn_release_function give_back = nullptr,
                                     void *lender = nullptr)
    {
        return ctx.made<table>(cairn_table_lend_matrix, &matrix,
                               names.empty() ? nullptr : detail::listed(names).data(), give_back,
                               lender);
    }

    result<void> write(context &ctx, text path, text format = nullptr) const
    {
        return ctx.ended(cairn_table_write(ctx.get(), get(), path.get(), format.get()));
    }
    result<void> to_arrow(context &ctx, ArrowSchema *schema, ArrowArray *array) const
    {
        return ctx.ended(cairn_table_to_arrow(ctx.get(), get(), schema, array));
    }
    result<void> as(context &ctx, text shape)
    {
        cairn_table *changed = release();
        cairn_status status = cairn_table_as(ctx.get(), &changed, shape.get());
        *this = table(changed);
        return ctx.ended(status);
    }

    /* Columns; the vectors must have one value for each row. */
    result<void> add_numbers(context &ctx, text name, const std::vector<double> &numbers)
    {
        if (numbers.size() != rows()) return wrong_length(numbers.size());
        return ctx.ended(cairn_table_add_numbers(ctx.get(), get(), name.get(), numbers.data()));
    }
    result<void> add_times(context &ctx, text name, const std::vector<double> &seconds)
    {
        if (seconds.size() != rows()) return wrong_length(seconds.size());
        return ctx.ended(cairn_table_add_times(ctx.get(), get(), name.get(), seconds.data()));
    }
    result<void> add_levels(context &ctx, text name, const std::vector<std::int32_t> &codes,
                            const std::vector<std::string> &levels)
    {
        if (codes.size() != rows()) return wrong_length(codes.size());
        const std::vector<const char *> names = detail::listed(levels);
        return ctx.ended(cairn_table_add_levels(ctx.get(), get(), name.get(), codes.data(),
                                                names.data(), levels.size()));
    }
    result<void> add_texts(context &ctx, text name, const std::vector<std::string> &texts)
    {
        if (texts.size() != rows()) return wrong_length(texts.size());
        return ctx.ended(
            cairn_table_add_texts(ctx.get(), get(), name.get(), detail::listed(texts).data()));
    }

    result<void> add_ordered(context &ctx, text name, const std::vector<std::int32_t> &codes,
                             const std::vector<std::string> &levels)
    {
        if (codes.size() != rows()) return wrong_length(codes.size());
        return ctx.ended(cairn_table_add_ordered(ctx.get(), get(), name.get(), codes.data(),
                                                 detail::listed(levels).data(), levels.size()));
    }
    /* Columns that are not copied: what they lie in must outlive all tables that share them, or be
     * given back by `give_back`. */
    result<void> lend_numbers(context &ctx, text name, const double *numbers,
                              cairn_release_function give_back = nullptr, void *lender = nullptr)
    {
        return ctx.ended(
            cairn_table_lend_numbers(ctx.get(), get(), name.get(), numbers, give_back, lender));
    }
    result<void> lend_codes(context &ctx, text name, const std::int32_t *codes,
                            const std::vector<std::string> &levels,
                            cairn_release_function give_back = nullptr, void *lender = nullptr)
    {
        return ctx.ended(cairn_table_lend_codes(ctx.get(), get(), name.get(), codes,
                                                detail::listed(levels).data(), levels.size(),
                                                give_back, lender));
    }

    result<void> rename(context &ctx, text column, text name)
    {
        return ctx.ended(cairn_table_rename(ctx.get(), get(), column.get(), name.get()));
    }
    result<void> drop(context &ctx, text column)
    {
        return ctx.ended(cairn_table_drop(ctx.get(), get(), column.get()));
    }
    result<table> select(context &ctx, const std::vector<std::string> &columns) const
    {
        return ctx.made<table>(cairn_table_select, get(), detail::listed(columns).data(),
                               columns.size());
    }
    result<table> take(context &ctx, const std::vector<std::size_t> &numbers) const
    {
        return ctx.made<table>(cairn_table_take, get(), numbers.data(), numbers.size());
    }
    result<table> copy(context &ctx) const { return ctx.made<table>(cairn_table_copy, get()); }

    std::size_t rows() const noexcept { return cairn_table_rows(get()); }
    std::size_t columns() const noexcept { return cairn_table_columns(get()); }
    std::optional<std::size_t> find(text name) const noexcept
    {
        std::ptrdiff_t at = cairn_table_find(get(), name.get());
        return at < 0 ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(at));
    }
    const char *name(std::size_t column) const noexcept { return cairn_table_name(get(), column); }
    cairn_kind kind(std::size_t column) const noexcept { return cairn_table_kind(get(), column); }
    cairn_role role(std::size_t column) const noexcept { return cairn_table_role(get(), column); }
    result<void> set_role(context &ctx, text column, cairn_role role)
    {
        return ctx.ended(cairn_table_set_role(ctx.get(), get(), column.get(), role));
    }
    const double *numbers(std::size_t column) const noexcept
    {
        return cairn_table_numbers(get(), column);
    }
    const double *times(std::size_t column) const noexcept
    {
        return cairn_table_times(get(), column);
    }
    /* The bytes of a text; no bytes of a missing one. */
    std::string_view text_at(std::size_t column, std::size_t row) const noexcept
    {
        std::size_t length = 0;
        const char *bytes = cairn_table_text(get(), column, row, &length);
        return bytes ? std::string_view(bytes, length) : std::string_view();
    }
    bool is_missing(std::size_t column, std::size_t row) const noexcept
    {
        return cairn_table_is_missing(get(), column, row);
    }
    std::size_t missing_count(std::size_t column) const noexcept
    {
        return cairn_table_missing_count(get(), column);
    }
    bool is_ordered(std::size_t column) const noexcept
    {
        return cairn_table_is_ordered(get(), column);
    }
    const std::int32_t *codes(std::size_t column) const noexcept
    {
        return cairn_table_codes(get(), column);
    }
    std::size_t level_count(std::size_t column) const noexcept
    {
        return cairn_table_level_count(get(), column);
    }
    const char *level(std::size_t column, std::size_t code) const noexcept
    {
        return cairn_table_level(get(), column, code);
    }
    std::string cell(std::size_t column, std::size_t row) const
    {
        std::string out(cairn_table_cell(get(), column, row, nullptr, 0), '\0');
        cairn_table_cell(get(), column, row, out.data(), out.size() + 1);
        return out;
    }

    result<table> filter(context &ctx, text condition) const
    {
        return ctx.made<table>(cairn_table_filter, get(), condition.get());
    }
    result<void> compute(context &ctx, text name, text expression)
    {
        return ctx.ended(cairn_table_compute(ctx.get(), get(), name.get(), expression.get()));
    }
    result<table> sort(context &ctx, text columns) const
    {
        return ctx.made<table>(cairn_table_sort, get(), columns.get());
    }
    result<table> distinct(context &ctx, text columns = nullptr) const
    {
        return ctx.made<table>(cairn_table_distinct, get(), columns.get());
    }
    result<table> aggregate(context &ctx, text group_by, text aggregates = nullptr) const
    {
        return ctx.made<table>(cairn_table_aggregate, get(), group_by.get(), aggregates.get());
    }
    result<table> join(context &ctx, const table &right, text on,
                       const cairn_join_options *options = nullptr,
                       cairn_join_counts *counts = nullptr) const
    {
        return ctx.made<table>(cairn_table_join, get(), right.get(), on.get(), options, counts);
    }
    result<table> pivot(context &ctx, text column, text values, text rows = nullptr,
                        text aggregates = nullptr) const
    {
        return ctx.made<table>(cairn_table_pivot, get(), column.get(), values.get(), rows.get(),
                               aggregates.get());
    }
    result<table> unpivot(context &ctx, text columns, text names_to, text values_to,
                          bool drop_missing = false) const
    {
        return ctx.made<table>(cairn_table_unpivot, get(), columns.get(), names_to.get(),
                               values_to.get(), drop_missing);
    }
    result<table> limit(context &ctx, std::size_t n) const
    {
        return ctx.made<table>(cairn_table_limit, get(), n);
    }
    result<table> sample(context &ctx, std::size_t n) const
    {
        return ctx.made<table>(cairn_table_sample, get(), n);
    }

private:
    outcome wrong_length(std::size_t n) const
    {
        const std::string message = "the column has " + std::to_string(n) +
                                    " values, but the table " + std::to_string(rows()) + " rows";
        return outcome(CAIRN_USAGE, message.c_str());
    }
};

/* Settings of a learner: params::make(ctx, "tree:max-depth=3"). */
class params : public owner<cairn_params, cairn_params_free>
{
public:
    using owner::owner;

    static result<params> make(context &ctx, text learner)
    {
        return ctx.made<params>(cairn_params_new, learner.get());
    }
    result<void> set(context &ctx, text name, text value)
    {
        return ctx.ended(cairn_params_set(ctx.get(), get(), name.get(), value.get()));
    }
};

/* What every command fills. */
class report : public owner<cairn_report, cairn_report_free>
{
public:
    using owner::owner;

    static result<report> make(context &ctx) { return ctx.made<report>(cairn_report_new); }

    result<bytes> print(context &ctx, cairn_format format = CAIRN_FORMAT_TEXT,
                        const cairn_print_options *options = nullptr) const
    {
        char *printed = nullptr;
        cairn_status status = cairn_report_print(ctx.get(), get(), format, options, &printed);
        if (status != CAIRN_OK) return ctx.ended(status);
        return bytes(printed, std::string_view(printed).size());
    }
    std::optional<double> number(text name) const noexcept
    {
        double value = 0;
        return cairn_report_number(get(), name.get(), &value) ? std::optional<double>(value)
                                                              : std::nullopt;
    }
    const char *string(text name) const noexcept { return cairn_report_string(get(), name.get()); }
    std::size_t value_count() const noexcept { return cairn_report_value_count(get()); }
    cairn_named_value value_at(std::size_t i) const noexcept
    {
        cairn_named_value value = CAIRN_NAMED_VALUE_INIT;
        cairn_report_value_at(get(), i, &value);
        return value;
    }
    std::size_t table_count() const noexcept { return cairn_report_table_count(get()); }
    const char *table_title(std::size_t i) const noexcept
    {
        return cairn_report_table_title(get(), i);
    }
    std::size_t table_rows(std::size_t i) const noexcept
    {
        return cairn_report_table_rows(get(), i);
    }
    result<table> table_at(context &ctx, std::size_t i) const
    {
        return ctx.made<table>(cairn_report_table_at, get(), i);
    }
    /* The i-th name in order of arrival, nullptr at the end. */
    const char *value_name(std::size_t i) const noexcept
    {
        return cairn_report_value_name(get(), i);
    }
};

/* A fitted model, or a recipe: a chain of transforms. */
class model : public owner<cairn_model, cairn_model_free>
{
public:
    using owner::owner;

    static result<model> fit(context &ctx, const params &settings, const table &rows,
                             const cairn_fit_options *options = nullptr)
    {
        return ctx.made<model>(cairn_model_fit, settings.get(), rows.get(), options);
    }
    /* The same for a learner that is named with its settings, "tree:max-depth=3". */
    static result<model> fit(context &ctx, text learner, const table &rows,
                             const cairn_fit_options *options = nullptr)
    {
        result<params> settings = params::make(ctx, learner);
        if (!settings) return static_cast<const outcome &>(settings);
        return fit(ctx, *settings, rows, options);
    }
    static result<model> fit_recipe(context &ctx, const table &rows,
                                    const cairn_fit_options &options)
    {
        cairn_model *made = nullptr;
        cairn_status status = cairn_recipe_fit(ctx.get(), &made, nullptr, rows.get(), &options);
        if (status != CAIRN_OK) return ctx.ended(status);
        return model(made);
    }
    static result<model> load(context &ctx, text path)
    {
        return ctx.made<model>(cairn_model_load, path.get());
    }
    static result<model> load_memory(context &ctx, text name, std::string_view content)
    {
        return ctx.made<model>(cairn_model_load_memory, name.get(), content.data(), content.size());
    }

    result<void> save(context &ctx, text path) const
    {
        return ctx.ended(cairn_model_save(ctx.get(), get(), path.get()));
    }
    result<bytes> save_memory(context &ctx) const
    {
        char *content = nullptr;
        std::size_t size = 0;
        cairn_status status = cairn_model_save_memory(ctx.get(), get(), &content, &size);
        if (status != CAIRN_OK) return ctx.ended(status);
        return bytes(content, size);
    }
    result<void> update(context &ctx, const table &rows, const cairn_fit_options *options = nullptr)
    {
        return ctx.ended(cairn_model_update(ctx.get(), get(), rows.get(), options));
    }
    result<table> predict(context &ctx, const table &rows, bool scores = false) const
    {
        return ctx.made<table>(cairn_model_predict, get(), rows.get(), scores);
    }
    /* The transforms of a recipe, or those in front of the learner. */
    result<table> apply(context &ctx, const table &rows) const
    {
        return ctx.made<table>(cairn_recipe_apply, get(), rows.get());
    }
    result<void> describe(context &ctx, report &out) const
    {
        return ctx.ended(cairn_model_describe(ctx.get(), out.get(), get()));
    }
    result<bytes> write_as(context &ctx, text form) const
    {
        char *written = nullptr;
        cairn_status status = cairn_model_export(ctx.get(), get(), form.get(), &written);
        if (status != CAIRN_OK) return ctx.ended(status);
        return bytes(written, std::string_view(written).size());
    }
    void reading(cairn_read_options &options) const noexcept
    {
        cairn_model_reading(get(), &options);
    }
    /* What it learned, as tables: cairn/learned.h. */
    std::vector<std::string> table_names() const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < cairn_model_table_count(get()); i++)
            names.emplace_back(cairn_model_table_name(get(), i));
        return names;
    }
    result<table> learned(context &ctx, text name) const
    {
        return ctx.made<table>(cairn_model_table, get(), name.get());
    }
    std::size_t class_count() const noexcept { return cairn_model_class_count(get()); }
    const char *class_name(std::size_t code) const noexcept
    {
        return cairn_model_class(get(), code);
    }
    const char *target() const noexcept { return cairn_model_target_name(get()); }
    std::size_t input_count() const noexcept { return cairn_model_input_count(get()); }
    cairn_input_info input(std::size_t i) const noexcept
    {
        cairn_input_info info = CAIRN_INPUT_INFO_INIT;
        cairn_model_input(get(), i, &info);
        return info;
    }
    const char *input_level(std::size_t i, std::size_t code) const noexcept
    {
        return cairn_model_input_level(get(), i, code);
    }
    const char *param(text name) const noexcept { return cairn_model_param(get(), name.get()); }
    const char *learner() const noexcept { return cairn_model_learner(get()); }
    cairn_task task() const noexcept { return cairn_model_task(get()); }
};

/* A model that is prepared to answer rows in memory: cairn/predictor.h. One for each thread; the
 * model must outlive it. */
class predictor : public owner<cairn_predictor, cairn_predictor_free>
{
public:
    using owner::owner;

    /* For rows of these columns; none are the inputs of the model in their order. */
    static result<predictor> make(context &ctx, const model &answers,
                                  const std::vector<std::string> &columns = {},
                                  const cairn_predictor_options *options = nullptr)
    {
        return ctx.made<predictor>(cairn_predictor_new_with, answers.get(),
                                   columns.empty() ? nullptr : detail::listed(columns).data(),
                                   columns.size(), options);
    }

    /* The row has columns() numbers, `scores` room for score_count() of them or is nullptr. */
    result<cairn_answer> row(const double *numbers, double *scores = nullptr)
    {
        cairn_answer answer = {};
        cairn_status status = cairn_predictor_row(get(), numbers, &answer, scores);
        if (status != CAIRN_OK) return outcome(status, cairn_predictor_message(get()));
        return answer;
    }
    result<cairn_answer> cells(const cairn_cell *cells, double *scores = nullptr)
    {
        cairn_answer answer = {};
        cairn_status status = cairn_predictor_cells(get(), cells, &answer, scores);
        if (status != CAIRN_OK) return outcome(status, cairn_predictor_message(get()));
        return answer;
    }
    /* Many rows; the arrays have one place for each row, `scores` score_count() of them, or are
     * nullptr. */
    result<void> rows(const cairn_matrix &matrix, std::int32_t *codes, double *numbers = nullptr,
                      double *scores = nullptr)
    {
        return outcome(cairn_predictor_rows(get(), &matrix, codes, numbers, scores),
                       cairn_predictor_message(get()));
    }

    std::size_t columns() const noexcept { return cairn_predictor_columns(get()); }
    std::int32_t code(std::size_t column, std::string_view level) const noexcept
    {
        return cairn_predictor_code(get(), column, level.data(), level.size());
    }
    std::size_t class_count() const noexcept { return cairn_predictor_classes(get()); }
    const char *class_name(std::size_t code) const noexcept
    {
        return cairn_predictor_class(get(), code);
    }
    std::size_t score_count() const noexcept { return cairn_predictor_scores(get()); }
    bool is_prepared() const noexcept { return cairn_predictor_is_prepared(get()); }
};

/* One thing that has a name, borrowed from the library or its context: cairn/registry.h. */
class entry
{
public:
    explicit entry(const cairn_entry *borrowed) noexcept : entry_(borrowed) {}

    static std::vector<entry> all(const context &ctx, cairn_entry_kind kind)
    {
        std::vector<entry> out;
        for (std::size_t i = 0; i < cairn_entry_count(ctx.get(), kind); i++)
            out.emplace_back(cairn_entry_at(ctx.get(), kind, i));
        return out;
    }
    static std::optional<entry> find(const context &ctx, cairn_entry_kind kind, text name)
    {
        const cairn_entry *found = cairn_entry_by_name(ctx.get(), kind, name.get());
        return found ? std::optional<entry>(entry(found)) : std::nullopt;
    }

    cairn_entry_details details() const noexcept
    {
        cairn_entry_details out = CAIRN_ENTRY_DETAILS_INIT;
        cairn_entry_info(entry_, &out);
        return out;
    }
    std::size_t param_count() const noexcept { return cairn_param_count(entry_); }
    cairn_param_info param(std::size_t i) const noexcept
    {
        cairn_param_info out = CAIRN_PARAM_INFO_INIT;
        cairn_param_at(entry_, i, &out);
        return out;
    }
    const char *choice(std::size_t param, std::size_t i, const char **help = nullptr) const noexcept
    {
        return cairn_param_choice(entry_, param, i, help);
    }
    const cairn_entry *get() const noexcept { return entry_; }

private:
    const cairn_entry *entry_;
};

/* Tables and models that words of a command may name as @name: cairn/objects.h. */
class objects : public owner<cairn_objects, cairn_objects_free>
{
public:
    using owner::owner;

    static result<objects> make(context &ctx) { return ctx.made<objects>(cairn_objects_new); }

    result<void> put(context &ctx, text name, const table &shared)
    {
        return ctx.ended(cairn_objects_put_table(ctx.get(), get(), name.get(), shared.get()));
    }
    /* The model is borrowed. */
    result<void> put(context &ctx, text name, const model &borrowed)
    {
        return ctx.ended(cairn_objects_put_model(ctx.get(), get(), name.get(), borrowed.get()));
    }
    /* What was put there, borrowed; nullptr when there is none. */
    const cairn_table *find_table(text name) const noexcept
    {
        return cairn_objects_table(get(), name.get());
    }
    const cairn_model *find_model(text name) const noexcept
    {
        return cairn_objects_model(get(), name.get());
    }
    /* Taken out; an owner of nothing when there is none. */
    table take_table(text name) noexcept
    {
        return table(cairn_objects_take_table(get(), name.get()));
    }
    model take_model(text name) noexcept
    {
        return model(cairn_objects_take_model(get(), name.get()));
    }
    void drop(text name) noexcept { cairn_objects_drop(get(), name.get()); }
    std::size_t count() const noexcept { return cairn_objects_count(get()); }
    const char *name(std::size_t i) const noexcept { return cairn_objects_name(get(), i); }
};

/* Do what `cairn WORDS...` would do and fill the report; see cairn/run.h. */
inline result<void> run(context &ctx, report &out, const std::vector<std::string> &words,
                        objects *named = nullptr)
{
    const std::vector<const char *> argv = detail::listed(words);
    return ctx.ended(cairn_run_with(ctx.get(), out.get(), nullptr, named ? named->get() : nullptr,
                                    static_cast<int>(words.size()), argv.data()));
}

/* The verbs: cairn/verbs.h. After CAIRN_CHECK_FAILED the report is filled as well. */
inline result<void> evaluate(context &ctx, report &out, text learner, const table &rows,
                             const cairn_evaluate_options *options = nullptr)
{
    return ctx.ended(cairn_evaluate(ctx.get(), out.get(), learner.get(), rows.get(), options));
}

inline result<void> compare(context &ctx, report &out, const std::vector<std::string> &learners,
                            const table &rows, const cairn_compare_options *options = nullptr)
{
    const cairn_table *const tables[] = {rows.get(), nullptr};
    return ctx.ended(
        cairn_compare(ctx.get(), out.get(), detail::listed(learners).data(), tables, options));
}

inline result<void> tune(context &ctx, report &out, text learner,
                         const std::vector<std::string> &over, const table &rows,
                         const cairn_tune_options *options = nullptr)
{
    return ctx.ended(cairn_tune(ctx.get(), out.get(), learner.get(), detail::listed(over).data(),
                                rows.get(), options));
}

inline result<void> compute(context &ctx, report &out, text calculator, const table &rows,
                            const cairn_compute_options *options = nullptr)
{
    return ctx.ended(cairn_compute(ctx.get(), out.get(), calculator.get(), rows.get(), options));
}

inline result<void> describe(context &ctx, report &out, const table &rows,
                             const cairn_describe_options *options = nullptr)
{
    return ctx.ended(cairn_describe(ctx.get(), out.get(), rows.get(), options));
}

/* The bytes of the picture. */
inline result<bytes> draw(context &ctx, report &out, text picture, const table &rows,
                          const cairn_draw_options *options = nullptr)
{
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_status status =
        cairn_draw(ctx.get(), out.get(), &output, picture.get(), rows.get(), options);
    if (status != CAIRN_OK) return ctx.ended(status);
    return bytes(output.document, output.length);
}

inline result<void> explain(context &ctx, report &out, const model &why, const table &rows,
                            const cairn_explain_options *options = nullptr)
{
    return ctx.ended(cairn_explain(ctx.get(), out.get(), why.get(), rows.get(), options));
}

} // namespace cairn

#endif
