// SPDX-License-Identifier: MIT
// A file of columns to a table in memory: node parquet.mjs duckdb|polars FILE, with npm packages from
// CAIRN_NODE_MODULES. Ends with 77 where the package is not there.
import {createRequire} from 'module';

const [name, file] = process.argv.slice(2);
const places = [(process.env.CAIRN_NODE_MODULES ?? process.cwd() + '/node_modules') + '/..'];
const require = createRequire(import.meta.url);
const packages = {duckdb: '@duckdb/node-api', polars: 'nodejs-polars'};
let library;
try {
  library = require(require.resolve(packages[name], {paths: places}));
} catch {
  console.error(`there is no npm package ${packages[name]}; CAIRN_NODE_MODULES names the folder that has it`);
  process.exit(77);
}

async function duckdb() {
  const c = await (await library.DuckDBInstance.create(':memory:', {threads: '2'})).connect();
  return async () => {
    await c.run(`create or replace table t as select * from '${file}'`);
    const counts = (await c.runAndReadAll('select count(*) from t')).getRows()[0];
    const columns = (await c.runAndReadAll('describe t')).getRows().length;
    return `${counts[0]} x ${columns}`;
  };
}

async function polars() {
  return async () => {
    const read = file.endsWith('.csv') ? library.readCSV : library.readParquet;
    const {height, width} = read(file);
    return `${height} x ${width}`;
  };
}

const read = await (name === 'duckdb' ? duckdb : polars)();
const before = process.cpuUsage(), begin = performance.now();
const quality = await read();
const seconds = (performance.now() - begin) / 1000, used = process.cpuUsage(before);
console.log(JSON.stringify({seconds, quality, cpu: (used.user + used.system) / 1e6}));
