/* SPDX-License-Identifier: MIT */
/* The weights of a network as text: read, written and read again, and what is wrong with it. */
#include "support/unit.h"
#include "model/weights_text.h"
#include <math.h>
#include <string.h>

static cairn_status read_text(cairn_context *ctx, cairn_neural_text *out, const char *text)
{
    cairn_given given = {"typed", text, strlen(text)};
    return cairn_neural_text_read(ctx, out, &given, NULL, 0);
}

static void test_weights_text__is_read(void **state)
{
    cairn_context *ctx = *state;
    static const double wanted[] = {0.15, -0.2, 0.35, 1, 0, -0.25, 0.4, 0.45, 0};
    cairn_neural_text text;
    assert_ok(ctx, read_text(ctx, &text,
                             "h1 = sigmoid(0.35 + 0.15*i1 -0.2 * \"i 2\")  # the first\n"
                             "h2 = sigmoid(- 0.25 + i1); o1 = 0.4 h1 + 0.45*h2\n"));
    assert_int_equal(text.layers.n, 2);
    assert_int_equal(text.layers.n_in, 2);
    assert_string_equal(text.names.inputs[1], "i 2");
    assert_string_equal(text.layers.list[1].activation.f->name, "linear");
    assert_int_equal(text.layers.n_weights, 9);
    for (size_t i = 0; i < 9; i++) assert_true(fabs(text.weights[i] - wanted[i]) < 1e-15);
    assert_int_equal(text.reported[8], 0);
    assert_int_equal(text.reported[5], 1);
}

/* Terms without blanks between them are terms; names with a minus sign stay whole. */
static void test_weights_text__needs_no_blanks(void **state)
{
    cairn_context *ctx = *state;
    static const double wanted[] = {0.15, -0.2, 0.001, 0.35};
    cairn_neural_text text;
    assert_ok(ctx, read_text(ctx, &text, "h1=sigmoid(0.35+0.15*i1-0.2*petal-length+1e-3*z)"));
    assert_int_equal(text.layers.n_in, 3);
    assert_string_equal(text.names.inputs[0], "i1");
    assert_string_equal(text.names.inputs[1], "petal-length");
    assert_string_equal(text.names.inputs[2], "z");
    for (size_t i = 0; i < 4; i++) assert_true(fabs(text.weights[i] - wanted[i]) < 1e-15);
    assert_int_equal(read_text(ctx, &text, "h1=1+x+"), CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(ctx), "column 8"));
}

/* What is written is read as the same numbers. */
static void test_weights_text__returns(void **state)
{
    cairn_context *ctx = *state;
    cairn_neural_text first, second;
    cairn_text text = cairn_text_start(ctx);
    assert_ok(ctx, read_text(ctx, &first,
                             "a = piecewise[from=0, to=2](0.1 - 1e-300 * \"x-y\" + 3*z)\n"
                             "b = piecewise[1, 0, 0, 2](1*z)\nc = softmax(a); d = softmax(2*b)"));
    assert_int_equal(first.layers.n, 2);
    cairn_neural_text_write(&text, &first.layers, first.weights, &first.names);
    assert_ok(ctx, read_text(ctx, &second, cairn_text_string(&text)));
    assert_int_equal(first.layers.n_weights, second.layers.n_weights);
    assert_memory_equal(first.weights, second.weights,
                        first.layers.n_weights * sizeof *first.weights);
    cairn_text_clear(&text);
}

static void test_weights_text__mistakes(void **state)
{
    cairn_context *ctx = *state;
    cairn_neural_text text;
    const struct {
        const char *text, *says;
    } bad[] = {
        {"", "there is no node"},
        {"h1", "'='"},
        {"h1 = ", "a bias or a weight"},
        {"h1 = sigmoid(", "')'"},
        {"h1 = linear[", "a number"},
        {"h1 = linear[m", "a number"},
        {"h1 = linear[m=", "a number"},
        {"h1 = linear[2", "a number"},
        {"h1 = sigmoid()", "a bias or a weight"},
        {"h1 = sigmoid(0.1 + )", "expected"},
        {"h1 = sigmo(1*x)", "no activation function 'sigmo'"},
        {"h1 = linear[k=2](1*x)", "no such parameter"},
        {"h1 = gaussian[sigma=0](1*x)", "above 0"},
        {"h1 = 1*x\nh1 = 2*x", "there twice"},
        {"h1 = 1*x + 2*x", "given twice"},
        {"h1 = 1*x\no = 1*h1 + 1*x", "layers cannot be skipped"},
        {"h1 = 1*h1", "before it is there"},
        {"h1 = tanh(1*x)\nh2 = sigmoid(1*x)", "a layer has one"},
        {"h1 = 1*x y", "'+' or '-'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read_text(ctx, &text, bad[i].text), CAIRN_BAD_DATA);
        if (!strstr(cairn_message(ctx), bad[i].says))
            fail_msg("%s: %s", bad[i].text, cairn_message(ctx));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_weights_text__is_read),
        context_test(test_weights_text__needs_no_blanks),
        context_test(test_weights_text__returns),
        context_test(test_weights_text__mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
