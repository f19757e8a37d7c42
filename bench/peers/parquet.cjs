// SPDX-License-Identifier: MIT
// A Parquet file to a table in memory: node parquet.cjs duckdb|polars FILE, with packages in the folder
// BENCH_NODE.
const {createRequire} = require('module');
const [name, file] = process.argv.slice(2);
const packages = createRequire((process.env.BENCH_NODE ?? __dirname) + '/');

async function duckdb() {
  const {DuckDBInstance} = packages('@duckdb/node-api');
  const c = await (await DuckDBInstance.create(':memory:', {threads: '2'})).connect();
  return async () => {
    await c.run(`create table t as select * from '${file}'`);
    const rows = (await c.runAndReadAll('select count(*) from t')).getRows()[0][0];
    return `${rows} x ${(await c.runAndReadAll('describe t')).getRows().length}`;
  };
}

async function polars() {
  process.env.POLARS_MAX_THREADS = '2';
  const {readParquet} = packages('nodejs-polars');
  return async () => {
    const {height, width} = readParquet(file);
    return `${height} x ${width}`;
  };
}

(async () => {
  const read = await (name === 'duckdb' ? duckdb : polars)();
  const begin = performance.now();
  const quality = await read();
  console.log(JSON.stringify({seconds: (performance.now() - begin) / 1000, quality}));
})();
