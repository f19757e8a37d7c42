/* SPDX-License-Identifier: MIT */
/* From C++: whatever the program can do is one call, and every number of its report has a name. */
#include <cairn/cairn.h>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

struct release {
    void operator()(cairn_context *ctx) const
    {
        cairn_context_free(ctx);
    }
    void operator()(cairn_report *report) const
    {
        cairn_report_free(report);
    }
};
using context = std::unique_ptr<cairn_context, release>;
using report = std::unique_ptr<cairn_report, release>;

static context make_context()
{
    cairn_context *ctx = nullptr;
    if (cairn_context_new(&ctx, nullptr)) throw std::bad_alloc();
    return context(ctx);
}

static report run(cairn_context *ctx, const std::vector<const char *> &words)
{
    cairn_report *result = nullptr;
    if (cairn_report_new(ctx, &result)) throw std::bad_alloc();
    report kept(result);
    if (cairn_run(ctx, result, static_cast<int>(words.size()), words.data()))
        throw std::runtime_error(cairn_message(ctx));
    return kept;
}

int main()
{
    try {
        context ctx = make_context();
        report result = run(ctx.get(), {"evaluate", "tree", "@iris", "--by", "cv:10"});
        double accuracy;
        if (!cairn_report_number(result.get(), "accuracy", &accuracy))
            throw std::runtime_error("the report has no value called accuracy");
        std::cout << "accuracy " << accuracy << "\n";
    } catch (const std::exception &error) {
        std::cerr << "run: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
