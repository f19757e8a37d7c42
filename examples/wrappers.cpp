/* SPDX-License-Identifier: MIT */
/* From C++, by the wrappers of cairn.hpp: a table of vectors, a model that is kept in memory, and
 * answers for new rows. Nothing is freed by hand, and no exception is needed. */
#include <cairn/cairn.hpp>
#include <cstdio>
#include <vector>

static cairn::result<cairn::table> flowers(cairn::context &ctx, const std::vector<double> &lengths,
                                           const std::vector<double> &widths)
{
    auto table = cairn::table::make(ctx, lengths.size());
    if (!table) return table;
    if (auto added = table->add_numbers(ctx, "petal_length", lengths); !added) return added;
    if (auto added = table->add_numbers(ctx, "petal_width", widths); !added) return added;
    return table;
}

static cairn::result<cairn::model> learn(cairn::context &ctx)
{
    auto table = flowers(ctx, {1.4, 1.3, 4.5, 4.7, 5.9, 6.1}, {0.2, 0.2, 1.5, 1.4, 2.1, 2.3});
    if (!table) return table;
    auto added = table->add_levels(ctx, "species", {0, 0, 1, 1, 2, 2},
                                   {"setosa", "versicolor", "virginica"});
    if (!added) return added;
    if (auto set = table->set_role(ctx, "species", CAIRN_TARGET); !set) return set;
    return cairn::model::fit(ctx, "knn:k=1", *table);
}

static cairn::result<std::string> answers(cairn::context &ctx)
{
    auto model = learn(ctx);
    if (!model) return model;
    auto rows = flowers(ctx, {1.5, 5.0, 6.0}, {0.3, 1.5, 2.2});
    if (!rows) return rows;
    auto found = model->predict(ctx, *rows);
    if (!found) return found;
    std::string line;
    for (std::size_t row = 0; row < found->rows(); row++) line += found->cell(0, row) + " ";
    return line;
}

int main()
{
    auto ctx = cairn::context::make();
    if (!ctx) return 1;
    auto line = answers(*ctx);
    if (!line) {
        std::fprintf(stderr, "wrappers: %s\n", line.message().c_str());
        return cairn_status_exit_code(line.status());
    }
    std::printf("%s\n", line->c_str());
    return 0;
}
