/* SPDX-License-Identifier: MIT */
/* This program has no module beside it: the message says which package is missing. */
#include "data/source_test.h"

static void test_missing__module_names_its_package(void **state)
{
    assert_refused(*state, "sqlite:x.db", CAIRN_FILE_ERROR,
                   "SQLite sources need the module cairn-sqlite.so");
    assert_refused(*state, "sqlite:x.db", CAIRN_FILE_ERROR, "libsqlite3-0");
    assert_refused(*state, "postgres:", CAIRN_FILE_ERROR, "libpq5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {context_test(test_missing__module_names_its_package)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
