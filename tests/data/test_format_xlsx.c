/* SPDX-License-Identifier: MIT */
/* Workbooks: what their cells mean, and files that are none or mean harm. */
#include "data/format_test.h"
#include "support/zip_maker.h"
#include "cairn/limits.h"
#include <math.h>
#include <stdio.h>

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
static const char book[] =
    XML "<workbook xmlns:r=\"r\"><workbookPr/><sheets><sheet name=\"First\" sheetId=\"1\" "
        "r:id=\"rId1\"/><sheet name=\"Second &amp; last\" sheetId=\"2\" r:id=\"rId2\"/></sheets>"
        "</workbook>";
static const char relations[] =
    XML "<Relationships><Relationship Id=\"rId1\" Type=\"x/worksheet\" "
        "Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"rId2\" Type=\"x/worksheet\" "
        "Target=\"/xl/worksheets/sheet2.xml\"/><Relationship Id=\"rId3\" Type=\"x/sharedStrings\" "
        "Target=\"sharedStrings.xml\"/><Relationship Id=\"rId4\" Type=\"x/styles\" "
        "Target=\"styles.xml\"/></Relationships>";
static const char strings[] =
    XML "<sst><si><t>name</t></si><si><r><t>two </t></r><r><t>parts</t></r><rPh><t>no</t></rPh>"
        "</si><si><t>say \"x\", y</t></si></sst>";
static const char styles[] =
    XML "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd hh:mm\"/>"
        "<numFmt numFmtId=\"165\" formatCode=\"0.0&quot;day&quot;\"/></numFmts><cellStyleXfs><xf "
        "numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf "
        "numFmtId=\"164\"/><xf numFmtId=\"165\"/></cellXfs></styleSheet>";
static const char sheet1[] =
    XML "<worksheet><sheetData>"
        "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>when</t>"
        "</is></c><c r=\"C1\" t=\"str\"><f>A1</f><v>price</v></c></row>"
        "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c><c r=\"B2\" s=\"1\"><v>46341</v></c>"
        "<c r=\"C2\" s=\"3\"><f>1+1.5</f><v>2.5</v></c><c r=\"D2\" t=\"b\"><v>1</v></c></row>"
        "<row r=\"4\"><c r=\"A4\" t=\"s\"><v>2</v></c><c r=\"B4\" s=\"2\"><v>46341.604166666664</v>"
        "</c><c r=\"C4\" t=\"e\"><v>#DIV/0!</v></c><c r=\"D4\" t=\"b\"><v>0</v></c></row>"
        "<row r=\"5\"><c r=\"A5\"/><c r=\"C5\"><v>1e3</v></c></row>"
        "</sheetData></worksheet>";
static const char sheet2[] =
    XML "<x:worksheet xmlns:x=\"x\"><x:sheetData><x:row><x:c><x:v>1</x:v>"
        "</x:c><x:c><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>";

#define PART(NAME, BYTES)                                                                          \
    {                                                                                              \
        NAME, BYTES, sizeof(BYTES) - 1, 1, 0                                                       \
    }

static zip_bytes workbook_with(const char *name, const char *bytes, size_t length)
{
    zip_part parts[] = {PART("[Content_Types].xml", XML "<Types/>"),
                        PART("xl/workbook.xml", book),
                        PART("xl/_rels/workbook.xml.rels", relations),
                        PART("xl/sharedStrings.xml", strings),
                        PART("xl/styles.xml", styles),
                        PART("xl/worksheets/sheet1.xml", sheet1),
                        PART("xl/worksheets/sheet2.xml", sheet2)};
    for (size_t i = 0; name && i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) {
            parts[i].bytes = bytes;
            parts[i].length = length;
        }
    return zip_make(parts, sizeof parts / sizeof *parts);
}

static cairn_status read_sheet(cairn_context *ctx, cairn_table **out, const char *sheet)
{
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    zip_bytes z = workbook_with(NULL, NULL, 0);
    o.sheet = sheet;
    cairn_status status = cairn_table_read_memory(ctx, out, "book.xlsx", z.bytes, z.n, &o);
    free(z.bytes);
    return status;
}

static void refuses_part(cairn_context *ctx, const char *name, const char *bytes, size_t length,
                         const char *message)
{
    cairn_table *t = NULL;
    zip_bytes z = workbook_with(name, bytes, length);
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "book.xlsx", z.bytes, z.n, NULL),
                 CAIRN_BAD_DATA, message);
    assert_null(t);
    free(z.bytes);
}

static void refuses_sheet(cairn_context *ctx, const char *xml, const char *message)
{
    refuses_part(ctx, "xl/worksheets/sheet1.xml", xml, strlen(xml), message);
}

static void test_xlsx__cells_mean_what_they_show(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx, read_sheet(ctx, &t, NULL));
    assert_int_equal(t->n_rows, 3);
    assert_int_equal(t->n_columns, 4);
    assert_string_equal(cell(t, "name", 0), "two parts");
    assert_string_equal(cell(t, "name", 1), "say \"x\", y");
    assert_int_equal(column_of(t, "name")->codes[2], -1);
    assert_int_equal(column_of(t, "when")->kind, CAIRN_TIME);
    assert_true(column_of(t, "when")->numbers[0] == cairn_time_of_date(2026, 11, 15));
    assert_true(column_of(t, "when")->numbers[1] == cairn_time_of_date(2026, 11, 15) + 14.5 * 3600);
    assert_true(column_of(t, "price")->numbers[0] == 2.5);
    assert_true(isnan(column_of(t, "price")->numbers[1]));
    assert_true(column_of(t, "price")->numbers[2] == 1000);
    assert_string_equal(cell(t, "column4", 0), "true");
    cairn_table_free(t);
}

static void test_xlsx__sheets_by_name_and_number(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_ok(ctx, read_sheet(ctx, &t, "Second & last"));
    assert_int_equal(t->n_columns, 2);
    cairn_table_free(t);
    t = NULL;
    assert_ok(ctx, read_sheet(ctx, &t, "2"));
    assert_true(t->slots[1].column->numbers[0] == 2);
    cairn_table_free(t);
    t = NULL;
    assert_fails(ctx, read_sheet(ctx, &t, "Third"), CAIRN_USAGE,
                 "there is no sheet 'Third'; there are: First, Second & last");
}

static void test_xlsx__a_sheet_in_the_path(void **state)
{
    cairn_context *ctx = *state;
    char path[64], with_sheet[80];
    cairn_table *t = NULL;
    zip_bytes z = workbook_with(NULL, NULL, 0);
    temporary_name(path, ".xlsx");
    assert_ok(ctx, cairn_file_write_all(ctx, path, z.bytes, z.n));
    snprintf(with_sheet, sizeof with_sheet, "%s#2", path);
    assert_ok(ctx, cairn_table_read(ctx, &t, with_sheet, NULL));
    assert_int_equal(t->n_columns, 2);
    cairn_table_free(t);
    unlink(path);
    free(z.bytes);
}

static void test_xlsx__days_of_both_calendars(void **state)
{
    cairn_context *ctx = *state;
    static const char early[] =
        XML "<worksheet><sheetData><row><c t=\"str\"><v>d</v></c></row><row><c s=\"1\"><v>1</v></c>"
            "</row><row><c s=\"1\"><v>61</v></c></row></sheetData></worksheet>";
    static const char mac[] =
        XML "<workbook xmlns:r=\"r\"><workbookPr date1904=\"1\"/><sheets><sheet "
            "name=\"A\" r:id=\"rId1\"/></sheets></workbook>";
    cairn_table *t = NULL;
    zip_bytes z = workbook_with("xl/worksheets/sheet1.xml", early, sizeof early - 1);
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "b.xlsx", z.bytes, z.n, NULL));
    assert_string_equal(cell(t, "d", 0), "1900-01-01");
    assert_string_equal(cell(t, "d", 1), "1900-03-01");
    cairn_table_free(t);
    free(z.bytes);
    t = NULL;
    z = workbook_with("xl/workbook.xml", mac, sizeof mac - 1);
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "b.xlsx", z.bytes, z.n, NULL));
    assert_string_equal(cell(t, "when", 0), "2030-11-16 00:00"); /* 1462 days later */
    cairn_table_free(t);
    free(z.bytes);
}

static void keep_warning(cairn_log_level level, const char *message, void *data)
{
    if (level == CAIRN_LOG_WARNING) snprintf(data, 200, "%s", message);
}

static void test_xlsx__formulas_that_nobody_computed(void **state)
{
    cairn_context *ctx = *state;
    static const char sheet[] =
        XML "<worksheet><row><c t=\"str\"><v>a</v></c><c t=\"str\"><v>b</v></c></row><row><c><v>1"
            "</v></c><c><f>A2+1</f><v></v></c></row><row><c><v>2</v></c><c><v>3</v></c></row>"
            "</worksheet>";
    char warning[200] = "";
    cairn_table *t = NULL;
    zip_bytes z = workbook_with("xl/worksheets/sheet1.xml", sheet, sizeof sheet - 1);
    cairn_context_set_log(ctx, keep_warning, warning);
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "no name", z.bytes, z.n, NULL));
    assert_true(isnan(column_of(t, "b")->numbers[0]) && column_of(t, "b")->numbers[1] == 3);
    assert_non_null(strstr(warning, "1 formula has no saved result"));
    cairn_table_free(t);
    free(z.bytes);
}

static void test_xlsx__files_that_are_none(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    zip_bytes z = workbook_with(NULL, NULL, 0);
    refuses(ctx, "xlsx", "a,b\n1,2\n", "it is no zip file");
    refuses(ctx, "xlsx", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 more", "encrypted with a password");
    assert_fails(ctx, read_bytes(ctx, &t, "xlsx", z.bytes, z.n / 2), CAIRN_BAD_DATA, "cut short");
    for (size_t i = 40; i < z.n; i += 97) { /* damage anywhere is told or does no harm */
        z.bytes[i] ^= 0x5A;
        cairn_status status = read_bytes(ctx, &t, "xlsx", z.bytes, z.n);
        assert_true(status == CAIRN_OK || status == CAIRN_BAD_DATA);
        cairn_table_free(t);
        t = NULL;
        z.bytes[i] ^= 0x5A;
    }
    free(z.bytes);
    zip_part one = PART("other.xml", XML "<a/>");
    z = zip_make(&one, 1);
    assert_fails(ctx, read_bytes(ctx, &t, "xlsx", z.bytes, z.n), CAIRN_BAD_DATA,
                 "it has no part xl/workbook.xml");
    free(z.bytes);
    zip_part locked = PART("xl/workbook.xml", book);
    locked.encrypted = 1;
    z = zip_make(&locked, 1);
    assert_fails(ctx, read_bytes(ctx, &t, "xlsx", z.bytes, z.n), CAIRN_BAD_DATA, "is encrypted");
    free(z.bytes);
}

static void test_xlsx__parts_that_mean_harm(void **state)
{
    cairn_context *ctx = *state;
    refuses_sheet(ctx,
                  "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><worksheet>&b;"
                  "</worksheet>",
                  "declares a document type");
    refuses_sheet(ctx, "<worksheet><sheetData><row>", "damaged or cut short");
    refuses_sheet(ctx, "<worksheet><sheetData><row r=\"2\"/><row r=\"1\"/></sheetData></worksheet>",
                  "row '1' is out of place");
    refuses_sheet(ctx, "<worksheet><row r=\"1\"><c r=\"ZZZZ1\"><v>1</v></c></row></worksheet>",
                  "cell 'ZZZZ1' is out of place");
    refuses_sheet(ctx, "<worksheet><row r=\"9999999\"/></worksheet>", "more than 1048576 rows");
    refuses_sheet(ctx, "<worksheet><row><c t=\"s\"><v>99</v></c></row></worksheet>",
                  "cell A1: '99' is none of the shared texts");
    refuses_sheet(ctx, "<worksheet><row><c><v>x</v></c></row></worksheet>",
                  "cell A1: 'x' is not a number");
    refuses_sheet(ctx, "<worksheet/>", "the sheet is empty");
}

static void test_xlsx__bombs_are_not_unpacked(void **state)
{
    cairn_context *ctx = *state;
    size_t length = (size_t)40 << 20;
    char *blanks = malloc(length);
    assert_non_null(blanks);
    memset(blanks, ' ', length);
    memcpy(blanks, "<worksheet>", 11);
    refuses_part(ctx, "xl/worksheets/sheet1.xml", blanks, length, "more than 200 times its size");
    memset(blanks, 'a', length);
    memcpy(blanks, "<sst><si><t>", 12);
    refuses_part(ctx, "xl/sharedStrings.xml", blanks, length, "holds more than 1048576 bytes");
    free(blanks);
}

static void refuses_book(cairn_context *ctx, cairn_limit which, uint64_t value, const char *message)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_context_set_limit(ctx, which, value));
    assert_fails(ctx, read_sheet(ctx, &t, NULL), CAIRN_BAD_DATA, message);
    assert_null(t);
    assert_ok(ctx, cairn_context_set_limit(ctx, which, 0));
}

static void test_xlsx__limits_hold(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    refuses_book(ctx, CAIRN_LIMIT_COLUMNS, 3, "4 columns are too many");
    refuses_book(ctx, CAIRN_LIMIT_CELL, 9, "a cell of 10 bytes is too long");
    refuses_book(ctx, CAIRN_LIMIT_LEVELS, 1, "2 levels are too many");
    refuses_book(ctx, CAIRN_LIMIT_UNPACKED, 1024, "the limit of 'unpacked' is 1K; raise it by");
    assert_ok(ctx, read_sheet(ctx, &t, NULL));
    cairn_table_free(t);
}

static void test_xlsx__allocation_failures(void **state)
{
    (void)state;
    zip_bytes z = workbook_with(NULL, NULL, 0);
    survives("xlsx", z.bytes, z.n, false);
    free(z.bytes);
}

/* -- writing -- */

/* Letters by their numbers, as other programs write them; what only looks so stays. */
static void test_xlsx__letters_by_their_numbers(void **state)
{
    cairn_context *ctx = *state;
    static const char sheet[] = XML
        "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>a_x000D__x000a_b</t></is></c>"
        "<c t=\"inlineStr\"><is><t>b</t></is></c></row><row><c t=\"inlineStr\"><is><t>"
        "_x005F_x0041_ _x00E9_ _x20AC_ _xD800_ _x+041_ _x0000_ _x12_</t></is></c><c><v>1</v></c>"
        "</row></sheetData></worksheet>";
    zip_bytes z = workbook_with("xl/worksheets/sheet1.xml", sheet, sizeof sheet - 1);
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "book.xlsx", z.bytes, z.n, NULL));
    assert_string_equal(t->slots[0].name, "a\r\nb");
    assert_string_equal(cell(t, "a\r\nb", 0),
                        "_x0041_ \303\251 \342\202\254 _xD800_ _x+041_ _x0000_ _x12_");
    cairn_table_free(t);
    free(z.bytes);
}

static cairn_status write_book(cairn_context *ctx, const cairn_table *t, cairn_text *bytes)
{
    cairn_output_file *file;
    *bytes = cairn_text_start(ctx);
    CHECK(cairn_output_memory(ctx, &file, bytes));
    cairn_status status = cairn_format_write(ctx, &cairn_xlsx_format, t, file);
    if (status)
        cairn_output_abort(file);
    else
        status = cairn_output_commit(ctx, file);
    return status;
}

static cairn_table *there_and_back(cairn_context *ctx, const cairn_table *t)
{
    cairn_table *back = NULL;
    cairn_text bytes;
    assert_ok(ctx, write_book(ctx, t, &bytes));
    assert_ok(ctx, cairn_table_read_memory(ctx, &back, "b.xlsx", bytes.bytes, bytes.length, NULL));
    cairn_text_clear(&bytes);
    return back;
}

static void refuses_to_write(cairn_context *ctx, const cairn_table *t, const char *message)
{
    cairn_text bytes;
    assert_fails(ctx, write_book(ctx, t, &bytes), CAIRN_BAD_DATA, message);
    assert_int_equal(bytes.length, 0); /* it was seen before anything was written */
    cairn_text_clear(&bytes);
}

/* Every cell comes back, of the same kind. */
static void assert_same(const cairn_table *t, const cairn_table *back)
{
    assert_int_equal(back->n_rows, t->n_rows);
    assert_int_equal(back->n_columns, t->n_columns);
    for (size_t j = 0; j < t->n_columns; j++) {
        char wanted[400], found[400];
        assert_string_equal(back->slots[j].name, t->slots[j].name);
        assert_int_equal(back->slots[j].column->kind, t->slots[j].column->kind);
        for (size_t i = 0; i < t->n_rows; i++) {
            cairn_table_cell(t, j, i, wanted, sizeof wanted);
            cairn_table_cell(back, j, i, found, sizeof found);
            assert_string_equal(found, wanted);
        }
    }
}

static void test_xlsx__writes_what_it_reads(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(
        ctx, "csv",
        "n,x,l,day,when,fine,text,\"odd <&> \"\"name\"\"\"\n"
        "1,1.5,a,2026-11-15,2026-11-15 10:30:00,2026-11-15 "
        "10:30:05.250,\"tab\tline\nend\r\n\",=1+1\n"
        ",2,\"b \"\"q\"\" <&>\",,2026-11-16 11:00:05,9999-12-31 23:59:59.999,\"  a  \",+x\n"
        "3,-1e-300,,1900-01-01,,,_x0041_ and _x000D_,@y\n"
        ",,,,,,,\n"
        "4,1e300,c,1900-02-28,1900-03-01 00:00:01,1901-01-01 00:00:00.000,x,-z\n"
        "5,0.1,c,1900-03-01,1999-12-31 23:59:59,2000-01-01 12:00:00.500,,'q\n");
    cairn_table *back = there_and_back(ctx, t);
    assert_same(t, back);
    cairn_table_free(back);
    cairn_table_free(t);
}

/* A column of one cell, all of whose rows are missing, has as many rows as before; truths are
 * truths. */
static void test_xlsx__missing_rows_and_truths(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "json", "[{\"a\":null},{\"a\":1},{\"a\":null},{\"a\":null}]");
    cairn_table *back = there_and_back(ctx, t);
    assert_same(t, back);
    cairn_table_free(back);
    cairn_table_free(t);
    t = read_text(ctx, "json", "[{\"b\":true},{\"b\":false},{\"b\":null},{\"b\":true}]");
    back = there_and_back(ctx, t);
    assert_same(t, back);
    cairn_table_free(back);
    cairn_table_free(t);
}

/* Times that no sheet has are written as text, the whole column, and come back as times. */
static void test_xlsx__times_that_no_sheet_has(void **state)
{
    cairn_context *ctx = *state;
    char warning[400] = "";
    cairn_context_set_log(ctx, keep_warning, warning);
    cairn_table *t =
        read_text(ctx, "csv", "old,new\n1899-12-31,2026-11-15\n2026-11-15,2026-11-16\n");
    cairn_table *back = there_and_back(ctx, t);
    assert_non_null(strstr(warning, "column 'old' has times before 1900"));
    assert_same(t, back);
    cairn_table_free(back);
    cairn_table_free(t);
}

static void test_xlsx__what_no_sheet_holds(void **state)
{
    cairn_context *ctx = *state;
    static const double numbers[] = {1, 9.99999999999999e307, 1.7e308};
    char *text = malloc(4 * 32768 + 1);
    assert_non_null(text);
    cairn_table *t = NULL, *back;
    const char *texts[] = {"x", text};
    for (size_t letters = 32767; letters <= 32768; letters++) {
        text[0] = 0;
        for (size_t i = 0; i < letters / 2; i++) memcpy(text + 4 * i, "\360\237\230\200", 5);
        strcat(text, letters % 2 ? "y" : ""); /* one of these letters counts as two */
        assert_ok(ctx, cairn_table_new(ctx, &t, 2));
        assert_ok(ctx, cairn_table_add_texts(ctx, t, "long", texts));
        if (letters == 32767) {
            back = there_and_back(ctx, t);
            assert_int_equal(back->n_rows, 2);
            cairn_table_free(back);
        } else {
            refuses_to_write(ctx, t,
                             "column 'long', row 2: 32768 letters are more than the 32767 that a "
                             "cell of a sheet holds");
        }
        cairn_table_free(t);
    }
    free(text);
    static const char *const controls[] = {"ab\303\251\001c", "\033[31m", "a\357\277\276"};
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        const char *cells[] = {"x", controls[i]};
        assert_ok(ctx, cairn_table_new(ctx, &t, 2));
        assert_ok(ctx, cairn_table_add_texts(ctx, t, "c", cells));
        refuses_to_write(ctx, t,
                         i == 0   ? "column 'c', row 2: letter 4 is the control character "
                                    "0x01, which no sheet holds; write csv or parquet"
                         : i == 1 ? "row 2: letter 1 is the control character 0x1B"
                                  : "row 2: letter 2 is the control character");
        cairn_table_free(t);
        const int32_t codes[] = {0, 1};
        assert_ok(ctx, cairn_table_new(ctx, &t, 2));
        assert_ok(ctx, cairn_table_add_levels(ctx, t, "c", codes, cells, 2));
        refuses_to_write(ctx, t, "column 'c', row 2: letter");
        cairn_table_free(t);
    }
    assert_ok(ctx, cairn_table_new(ctx, &t, 3));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", numbers));
    refuses_to_write(ctx, t, "column 'x', row 3: 1.7e+308 is beyond the numbers of a sheet");
    cairn_table_free(t);
    assert_ok(ctx, cairn_table_new(ctx, &t, 1));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "bell\a", numbers));
    refuses_to_write(ctx, t, "its name: letter 5 is the control character 0x07");
    cairn_table_free(t);
}

/* As many rows and columns as a sheet has, and one more. */
static void test_xlsx__as_large_as_a_sheet(void **state)
{
    cairn_context *ctx = *state;
    static const double one = 1;
    double *many = calloc(1048576, sizeof *many);
    cairn_table *t = NULL, *back;
    assert_non_null(many);
    for (size_t n = 1048575; n <= 1048576; n++) {
        assert_ok(ctx, cairn_table_new(ctx, &t, n));
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, "x", many));
        if (n == 1048576) {
            refuses_to_write(ctx, t, "1048576 rows are more than the 1048575 that a sheet has");
        } else {
            back = there_and_back(ctx, t);
            assert_int_equal(back->n_rows, n);
            cairn_table_free(back);
        }
        cairn_table_free(t);
    }
    free(many);
    assert_ok(ctx, cairn_table_new(ctx, &t, 1));
    for (size_t j = 0; j < 16384; j++) {
        char name[16];
        snprintf(name, sizeof name, "c%zu", j);
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, name, &one));
    }
    back = there_and_back(ctx, t);
    assert_int_equal(back->n_columns, 16384);
    cairn_table_free(back);
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "more", &one));
    refuses_to_write(ctx, t, "16385 columns are more than the 16384 of a sheet");
    cairn_table_free(t);
}

static cairn_status write_all_kinds(cairn_context *ctx, void *data)
{
    cairn_text bytes;
    cairn_status status = write_book(ctx, data, &bytes);
    cairn_text_clear(&bytes);
    return status;
}

static void test_xlsx__allocation_failures_while_writing(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "json",
                               "[{\"a\":1,\"b\":\"x\",\"d\":\"2026-11-15\",\"l\":[\"p\",\"q\"]},"
                               "{\"a\":2,\"b\":\"y\",\"d\":\"1850-11-15\",\"l\":[]}]");
    assert_survives_allocation_failures(write_all_kinds, t);
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_xlsx__cells_mean_what_they_show),
        context_test(test_xlsx__sheets_by_name_and_number),
        context_test(test_xlsx__a_sheet_in_the_path),
        context_test(test_xlsx__days_of_both_calendars),
        context_test(test_xlsx__formulas_that_nobody_computed),
        context_test(test_xlsx__files_that_are_none),
        context_test(test_xlsx__parts_that_mean_harm),
        context_test(test_xlsx__bombs_are_not_unpacked),
        context_test(test_xlsx__limits_hold),
        context_test(test_xlsx__allocation_failures),
        context_test(test_xlsx__letters_by_their_numbers),
        context_test(test_xlsx__writes_what_it_reads),
        context_test(test_xlsx__missing_rows_and_truths),
        context_test(test_xlsx__times_that_no_sheet_has),
        context_test(test_xlsx__what_no_sheet_holds),
        context_test(test_xlsx__as_large_as_a_sheet),
        context_test(test_xlsx__allocation_failures_while_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
