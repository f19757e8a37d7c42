/* SPDX-License-Identifier: MIT */
/* Every wrapper of cairn.hpp in use, without exceptions or (with CAIRN_EXCEPTIONS) with them. Ends
 * with the number of the line that was not as expected. */
#include <cairn/cairn.hpp>
#include <cstdio>
#include <cstring>

static int failed_line = 0;

#define expect(condition)                                                                          \
    do {                                                                                           \
        if (!(condition) && !failed_line) failed_line = __LINE__;                                  \
    } while (0)

static void use_context(cairn::context &ctx)
{
    ctx.set_threads(2);
    expect(ctx.threads() == 2);
    ctx.set_seed(7);
    expect(ctx.seed() == 7);
    ctx.set_memory(0);
    ctx.set_log(nullptr, nullptr);
    ctx.set_progress(nullptr, nullptr);
    ctx.set_ask(nullptr, nullptr);
    expect(ctx.set_limit(CAIRN_LIMIT_COLUMNS, 50) && ctx.limit(CAIRN_LIMIT_COLUMNS) == 50);
    expect(ctx.set_limit(CAIRN_LIMIT_COLUMNS, 0));
    ctx.cancel();
    ctx.resume();
    cairn::context moved = std::move(ctx);
    expect(!ctx && moved);
    ctx = std::move(moved);
    expect(ctx && !moved);
}

static cairn::table make_table(cairn::context &ctx)
{
    auto table = cairn::table::make(ctx, 4);
    expect(table && table->rows() == 4 && table->columns() == 0);
    expect(table->add_numbers(ctx, "x", {1, 2, 3, 4}));
    expect(table->add_times(ctx, "when", {0, 86400, 172800, 259200}));
    expect(table->add_levels(ctx, std::string("class"), {0, 1, 0, 1}, {"no", "yes"}));
    expect(table->add_texts(ctx, "words", {"a", "b", "c", "d"}));
    auto refused = table->add_numbers(ctx, "short", {1, 2});
    expect(!refused && refused.status() == CAIRN_USAGE && !refused.message().empty());
    return std::move(table).value();
}

static void use_table(cairn::context &ctx)
{
    cairn::table table = make_table(ctx);
    expect(table.columns() == 4 && table.find("class") == 2u && !table.find("nothing"));
    expect(std::strcmp(table.name(0), "x") == 0 && table.kind(2) == CAIRN_LEVEL);
    expect(table.set_role(ctx, "class", CAIRN_TARGET) && table.role(2) == CAIRN_TARGET);
    expect(table.numbers(0)[3] > 3.5 && table.codes(2)[1] == 1);
    expect(table.level_count(2) == 2 && std::strcmp(table.level(2, 1), "yes") == 0);
    expect(table.cell(2, 3) == "yes" && table.cell(0, 0) == "1");
    expect(table.compute(ctx, "square", "x * x"));
    expect(table.filter(ctx, "x > 2")->rows() == 2);
    expect(table.sort(ctx, "-x")->numbers(0)[0] > 3.5);
    expect(table.distinct(ctx, "class")->rows() == 2);
    expect(table.aggregate(ctx, "class", "mean(x)")->rows() == 2);
    expect(table.join(ctx, table, "x")->rows() == 4);
    expect(table.limit(ctx, 3)->rows() == 3 && table.sample(ctx, 2)->rows() == 2);
    expect(table.pivot(ctx, "class", "x", "words")->rows() == 4);
    expect(table.unpivot(ctx, "x,square", "name", "value")->rows() == 8);
    auto none = table.filter(ctx, "nothing > 2");
    expect(!none && none.status() != CAIRN_OK && !none.message().empty());
    ArrowSchema schema;
    ArrowArray array;
    expect(table.to_arrow(ctx, &schema, &array));
    expect(cairn::table::from_arrow(ctx, &schema, &array)->rows() == 4);
    expect(cairn::table::generate(ctx, "blobs", "rows=20")->rows() == 20);
    expect(cairn::table::read_memory(ctx, "a.csv", "a,b\n1,2\n")->columns() == 2);
}

static void use_model(cairn::context &ctx)
{
    auto iris = cairn::table::read(ctx, "@iris");
    expect(iris && iris->set_role(ctx, "species", CAIRN_TARGET));
    auto settings = cairn::params::make(ctx, "tree");
    expect(settings && settings->set(ctx, "max-depth", "2"));
    auto model = cairn::model::fit(ctx, *settings, *iris);
    expect(model && std::strcmp(model->learner(), "tree") == 0 && model->task() == CAIRN_CLASSIFY);
    expect(model->predict(ctx, *iris, true)->columns() >= 4);
    auto kept = model->save_memory(ctx);
    expect(kept && kept->size() > 100);
    auto again = cairn::model::load_memory(ctx, "kept", kept->view());
    expect(again && again->predict(ctx, *iris)->rows() == 150);
    auto report = cairn::report::make(ctx);
    expect(report && model->describe(ctx, *report));
    expect(report->print(ctx)->view().size() > 50 && report->value_name(0));
    expect(model->write_as(ctx, "text")->size() > 10);
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    model->reading(options);
    expect(options.expected != nullptr);
    expect(!model->table_names().empty() && model->learned(ctx, "columns")->rows() >= 4);
    expect(model->class_count() == 3 && std::strcmp(model->class_name(0), "setosa") == 0);
    expect(std::strcmp(model->target(), "species") == 0 && model->input_count() == 4);
    expect(model->input(0).kind == CAIRN_NUMBER && !model->input_level(0, 0));
    expect(std::strcmp(model->param("max-depth"), "2") == 0);
    auto bayes = cairn::model::fit(ctx, "bayes", *iris);
    expect(bayes && bayes->update(ctx, *iris));
    auto unknown = cairn::model::fit(ctx, "treee", *iris);
    expect(!unknown && unknown.status() == CAIRN_USAGE &&
           unknown.message().find("tree") != std::string::npos);
    cairn_fit_options recipe = CAIRN_FIT_OPTIONS_INIT;
    const char *with[] = {"standardise", nullptr};
    recipe.with = with;
    auto scaled = cairn::model::fit_recipe(ctx, *iris, recipe);
    expect(scaled && scaled->apply(ctx, *iris)->rows() == 150);
}

static void use_run(cairn::context &ctx)
{
    auto report = cairn::report::make(ctx);
    expect(report && cairn::run(ctx, *report, {"evaluate", "tree", "@iris", "--by", "cv:5"}));
    expect(report->number("accuracy").value_or(0) > 0.8 && !report->number("nothing"));
    expect(report->string("nothing") == nullptr);
    expect(report->value_count() > 3 && report->value_at(0).name != nullptr);
    expect(report->table_count() > 0 && report->table_at(ctx, 0)->columns() > 0);
    expect(report->table_rows(0) > 0 && !report->table_title(999));
    auto wrong = cairn::run(ctx, *report, {"fitt"});
    expect(!wrong && wrong.status() == CAIRN_USAGE);
}

static void use_memory(cairn::context &ctx)
{
    const double numbers[] = {1, 10, 2, 20, 3, 30};
    const cairn_matrix matrix = CAIRN_MATRIX_ROWS(numbers, 3, 2);
    auto plain = cairn::table::from_matrix(ctx, matrix);
    expect(plain && plain->columns() == 2 && plain->numbers(1)[2] > 29);
    auto lent = cairn::table::lend_matrix(ctx, matrix, {"a", "b"});
    expect(lent && lent->find("b") == 1u);
    expect(lent->lend_numbers(ctx, "c", numbers));
    const std::int32_t codes[] = {0, 1, -1};
    expect(lent->lend_codes(ctx, "d", codes, {"x", "y"}));
    expect(lent->add_ordered(ctx, "e", {2, 1, 0}, {"low", "middle", "high"}));
    expect(lent->is_ordered(4) && lent->is_missing(3, 2) && lent->missing_count(3) == 1);
    expect(lent->rename(ctx, "a", "z") && lent->drop(ctx, "c") && lent->find("z") == 0u);
    expect(lent->select(ctx, {"e", "z"})->columns() == 2 && lent->take(ctx, {2, 0})->rows() == 2);
    expect(lent->copy(ctx)->columns() == 4 && !lent->select(ctx, {"nothing"}));
    expect(lent->add_texts(ctx, "t", {"ab", "", "c"}) && lent->text_at(4, 0) == "ab");
    expect(!lent->times(0));
}

static void use_predictor(cairn::context &ctx)
{
    auto iris = cairn::table::read(ctx, "@iris");
    expect(iris && iris->set_role(ctx, "species", CAIRN_TARGET));
    auto model = cairn::model::fit(ctx, "tree", *iris);
    auto predictor = cairn::predictor::make(ctx, *model);
    expect(predictor && predictor->columns() == 4 && predictor->class_count() == 3);
    const double row[] = {5.1, 3.5, 1.4, 0.2};
    double scores[3] = {};
    expect(predictor->score_count() == 3 && predictor->row(row, scores)->code == 0);
    expect(scores[0] > 0.5 && std::strcmp(predictor->class_name(0), "setosa") == 0);
    std::int32_t codes[1] = {9};
    const cairn_matrix one = CAIRN_MATRIX_ROWS(row, 1, 4);
    expect(predictor->rows(one, codes) && codes[0] == 0 && predictor->code(0, "x") == -1);
    cairn_cell cells[4] = {};
    for (int i = 0; i < 4; i++) {
        cells[i].kind = CAIRN_CELL_NUMBER;
        cells[i].number = row[i];
    }
    expect(predictor->cells(cells)->code == 0 && predictor->is_prepared());
    auto unknown = cairn::predictor::make(ctx, *model, {"nothing"});
    expect(!unknown && unknown.message().find("nothing") != std::string::npos);
}

static void use_verbs(cairn::context &ctx)
{
    auto iris = cairn::table::read(ctx, "@iris");
    expect(iris && iris->set_role(ctx, "species", CAIRN_TARGET));
    auto report = cairn::report::make(ctx);
    expect(cairn::evaluate(ctx, *report, "tree", *iris));
    expect(cairn::compare(ctx, *report, {"tree", "majority"}, *iris));
    expect(cairn::tune(ctx, *report, "tree", {"max-depth=1:2"}, *iris));
    expect(cairn::describe(ctx, *report, *iris));
    expect(cairn::compute(ctx, *report, "exemplars", *iris));
    cairn_draw_options drawing = CAIRN_DRAW_OPTIONS_INIT;
    const char *more[] = {"--x", "petal_length", "--y", "petal_width", nullptr};
    drawing.more = more;
    auto picture = cairn::draw(ctx, *report, "scatter", *iris, &drawing);
    expect(picture && picture->view().find("<svg") != std::string_view::npos);
    auto model = cairn::model::fit(ctx, "tree", *iris);
    expect(model && cairn::explain(ctx, *report, *model, *iris));
    auto objects = cairn::objects::make(ctx);
    expect(objects && objects->put(ctx, "flowers", *iris) && objects->put(ctx, "t", *model));
    expect(objects->count() == 2 && objects->find_table("flowers") && objects->find_model("t"));
    expect(objects->name(0) != nullptr && !objects->find_table("t"));
    expect(cairn::run(ctx, *report, {"fit", "bayes", "@flowers", "--save", "@b"}, &*objects));
    cairn::model made = objects->take_model("b");
    expect(made && std::strcmp(made.learner(), "bayes") == 0 && !objects->take_table("b"));
    objects->drop("t");
    expect(objects->count() == 1);
}

static void use_entries(cairn::context &ctx)
{
    expect(cairn::entry::all(ctx, CAIRN_ENTRY_LEARNER).size() > 20);
    auto tree = cairn::entry::find(ctx, CAIRN_ENTRY_LEARNER, "tree");
    expect(tree && std::strcmp(tree->details().name, "tree") == 0);
    expect(tree->param_count() > 5 && tree->param(0).help != nullptr && tree->get() != nullptr);
    std::size_t choices = 0;
    for (std::size_t i = 0; i < tree->param_count(); i++) choices += tree->choice(i, 0) != nullptr;
    expect(choices > 0 && !cairn::entry::find(ctx, CAIRN_ENTRY_LEARNER, "treee"));
}

#ifdef CAIRN_EXCEPTIONS
static void use_exceptions(cairn::context &ctx)
{
    try {
        cairn::table table = cairn::table::read(ctx, "@nothing").value();
        expect(table.rows() == 0 && false);
    } catch (const cairn::error &error) {
        expect(error.status() != CAIRN_OK && std::strlen(error.what()) > 5);
    }
}
#endif

int main()
{
    auto ctx = cairn::context::make();
    if (!ctx) return 1;
    use_context(*ctx);
    use_table(*ctx);
    use_model(*ctx);
    use_run(*ctx);
    use_memory(*ctx);
    use_predictor(*ctx);
    use_verbs(*ctx);
    use_entries(*ctx);
#ifdef CAIRN_EXCEPTIONS
    use_exceptions(*ctx);
#endif
    if (failed_line)
        std::printf("line %d: %s\n", failed_line, ctx->message());
    else
        std::puts("ok");
    return failed_line != 0;
}
