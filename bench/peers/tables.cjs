// SPDX-License-Identifier: MIT
// Tables in polars or DuckDB: tables.cjs polars|duckdb STEP FILE [OTHER]. Steps are read, sort, group,
// join and distinct by the first column; what is read before the step is not timed. The packages are
// sought in BENCH_NODE (npm install --ignore-scripts nodejs-polars @duckdb/node-api).
const path = require("path");
const [tool, step, file, other] = process.argv.slice(2);
const threads = process.env.OMP_NUM_THREADS || "2";
process.env.POLARS_MAX_THREADS = threads;
const need = name => require(require.resolve(name, {paths: [process.env.BENCH_NODE || "."]}));
const now = () => Number(process.hrtime.bigint()) / 1e9;

function tell(seconds, rows, columns) {
    console.log(JSON.stringify({seconds, quality: `${rows} rows, ${columns} columns`}));
}

function polars() {
    const pl = need("nodejs-polars");
    let begin = now();
    const table = pl.readCSV(file);
    const key = table.columns[0], value = table.columns[1];
    if (step === "read") return tell(now() - begin, table.height, table.width);
    const second = step === "join" ? pl.readCSV(other) : null;
    begin = now();
    const out = step === "sort" ? table.sort(key)
        : step === "group" ? table.lazy().groupBy(key).agg(pl.len().alias("n"), pl.col(value).sum().alias("s")).collectSync()
        : step === "join" ? table.join(second, {on: key, how: "inner"})
        : table.select(key).unique();
    tell(now() - begin, out.height, out.width);
}

async function duckdb() {
    const {DuckDBInstance} = need("@duckdb/node-api");
    const base = await (await DuckDBInstance.create(":memory:", {threads})).connect();
    const ask = async sql => (await base.runAndReadAll(sql)).getRows();
    const load = (name, from) => base.run(`CREATE TABLE ${name} AS SELECT * FROM read_csv('${from}', header=true)`);
    let begin = now();
    await load("t", file);
    const seconds = now() - begin;
    const columns = (await ask("DESCRIBE t")).map(row => row[0]);
    if (step === "join") await load("o", other);
    const [key, value] = columns;
    const sql = {read: null,
        sort: `SELECT * FROM t ORDER BY ${key}`,
        group: `SELECT ${key}, count(*) AS n, sum(${value}) AS s FROM t GROUP BY ${key}`,
        join: `SELECT * FROM t JOIN o USING (${key})`,
        distinct: `SELECT DISTINCT ${key} FROM t`}[step];
    if (sql) {
        begin = now();
        await base.run(`CREATE TABLE made AS ${sql}`);
    }
    const taken = sql ? now() - begin : seconds, name = sql ? "made" : "t";
    const rows = (await ask(`SELECT count(*) FROM ${name}`))[0][0];
    tell(taken, rows, (await ask(`DESCRIBE ${name}`)).length);
}

if (tool === "polars") polars();
else duckdb();
