// SPDX-License-Identifier: MIT
// Files that other programs write, every type and encoding that they can, read by Cairn, and Cairn's
// read by them; all cells must be equal. node foreign.mjs CAIRN FOLDER, where the packages can be
// found: in CAIRN_NODE_MODULES, or where node looks. Those that are not there are named and left out;
// with none at all it ends with 77 (skipped).
import {execFileSync} from 'child_process';
import fs from 'fs';
import {createRequire} from 'module';
import {pathToFileURL} from 'url';

const [cairn, folder] = process.argv.slice(2);
const places = process.env.CAIRN_NODE_MODULES
  ? [process.env.CAIRN_NODE_MODULES + '/..'] : [process.cwd(), folder];
const require = createRequire(import.meta.url);
const missing = [];

async function load(name) {
  try {
    return await import(pathToFileURL(require.resolve(name, {paths: places})));
  } catch {
    missing.push(name);
    return null;
  }
}

const duck = await load('@duckdb/node-api');
const polars = (await load('nodejs-polars'))?.default;
const arrow = await load('apache-arrow');
const wasm = await load('parquet-wasm');
const writer = await load('hyparquet-writer');
const reader = await load('hyparquet');
if (missing.length) console.log(`left out, as there is no npm package ${missing.join(', ')}; ` +
  'CAIRN_NODE_MODULES names the folder node_modules that has them');
if (missing.length === 6) process.exit(77);

// -- cells --

// Times are milliseconds since 1970, numbers numbers, truths 0 and 1; texts stay.
function plain(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value))
    return Date.parse(value.replace(' ', 'T').replace(/\+00$/, '') + (/[ T]/.test(value) ? 'Z' : ''));
  if (typeof value === 'string' || typeof value === 'number') return value;
  return [...value].map(plain);
}

let compared = 0, faults = 0;

// A list of rows beside another; columns are those of the second.
function same(what, got, wanted) {
  if (got.length !== wanted.length) {
    faults++;
    console.log(`${what}: ${got.length} rows, not ${wanted.length}`);
    return;
  }
  for (const [i, row] of wanted.entries())
    for (const name of Object.keys(row)) {
      let [a, b] = [plain(got[i][name]), plain(row[name])];
      if (Array.isArray(b) && typeof b.find((x) => x !== null) !== 'number' && Array.isArray(a)) {
        a = [...new Set(a.filter((x) => x !== null))].sort(); // bags have no order
        b = [...new Set(b.filter((x) => x !== null))].sort();
      }
      compared++;
      if (JSON.stringify(a) === JSON.stringify(b)) continue;
      if (faults++ < 20) console.log(`${what}: row ${i + 1}, ${name}: ${JSON.stringify(a)}, not ${JSON.stringify(b)}`);
    }
}

function run(...words) {
  return execFileSync(cairn, [...words, '--quiet'], {stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28}).toString();
}

function read(file) {
  const text = run('convert', file, '-', '--to', 'ndjson');
  return text.trim().split('\n').map((line) => JSON.parse(line));
}

function check(file, wanted) {
  try {
    same(file, read(`${folder}/${file}`), wanted);
  } catch (error) {
    faults++;
    console.log(`${file}: ${error.stderr ?? error}`);
  }
}

function refused(file, part) {
  try {
    read(`${folder}/${file}`);
    console.log(`${file} is read`);
  } catch (error) {
    if (String(error.stderr).includes(part)) return;
    console.log(`${file}: ${error.stderr}`);
  }
  faults++;
}

// -- a table of every type --

const n = 300, day = 86400000, start = Date.UTC(2020, 0, 1);
const rows = Array.from({length: n}, (_, i) => i);
const holes = (i, each, value) => (i % each === 3 ? null : value);
const words = ['red', 'green', 'blue'];
const table = rows.map((i) => ({
  whole: i - 150, big: i * 1000003, small: i % 100, unsigned: i * 7, real: holes(i, 7, i * 0.37),
  half: i * 0.25, truth: i % 3 === 0, text: holes(i, 11, 'text ü ' + i), word: holes(i, 5, words[i % 3]),
  day: new Date(start + i * day), moment: holes(i, 13, new Date(start + i * 1001)), price: i * 1.25,
  bag: i % 17 === 3 ? null : ['a' + i % 4, 'b'], list: [i * 0.5, i],
}));
const without = (...names) => table.map((row) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))));

// -- DuckDB --

async function connect() {
  return (await duck.DuckDBInstance.create(':memory:')).connect();
}

async function duckWrites() {
  const c = await connect();
  await c.run(`create table t as select (i - 150)::integer as whole, (i * 1000003)::bigint big, (i % 100)::tinyint small,
    (i * 7)::uinteger unsigned, case when i % 7 = 3 then null else i * 0.37::double end "real", (i * 0.25)::float "half",
    i % 3 = 0 as truth, case when i % 11 = 3 then null else 'text ü ' || i end as text,
    case when i % 5 = 3 then null else ['red', 'green', 'blue'][1 + i % 3] end word, date '2020-01-01' + i::integer as day,
    case when i % 13 = 3 then null else timestamp '2020-01-01' + interval (i * 1001) millisecond end as moment,
    (i * 1.25)::decimal(18, 2) as price,
    case when i % 17 = 3 then null else ['a' || i % 4, 'b'] end bag, [i * 0.5::double, i] as list,
    (i % 9)::utinyint u8, (i % 9)::smallint i16, (i % 9)::usmallint u16, (i % 9)::ubigint u64,
    (i / 4)::decimal(4, 1) d4, (i / 4)::decimal(9, 2) d9, (i / 4)::decimal(38, 3) d38,
    time '01:00:00' + interval (i) second as clock, (timestamp '2020-01-01' + interval (i) second)::timestamp_s ts_s,
    (timestamp '2020-01-01' + interval (i) second)::timestamp_ms ts_ms,
    (timestamp '2020-01-01' + interval (i) second)::timestamp_ns ts_ns,
    (words[1 + i % 3])::enum('red', 'green', 'blue') as level, {x: i, y: 's' || i % 2} as st
    from range(${n}) r(i), (select ['red', 'green', 'blue'] words)`);
  const wanted = table.map((row, i) => ({...row, u8: i % 9, i16: i % 9, u16: i % 9, u64: i % 9,
    d4: Math.round(i * 2.5) / 10, d9: i / 4, d38: i / 4,
    clock: new Date(3600000 + i * 1000).toISOString().slice(11, 19),
    ts_s: new Date(start + i * 1000), ts_ms: new Date(start + i * 1000), ts_ns: new Date(start + i * 1000),
    level: words[i % 3], 'st.x': i, 'st.y': 's' + i % 2}));
  for (const codec of ['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4_raw'])
    for (const version of ['v1', 'v2']) {
      const file = `duckdb-${codec}-${version}.parquet`;
      await c.run(`copy t to '${folder}/${file}' (format parquet, codec ${codec}, parquet_version ${version}, row_group_size 128)`);
      check(file, wanted);
    }
  await c.run(`copy t to '${folder}/duckdb-brotli.parquet' (format parquet, codec brotli)`);
  refused('duckdb-brotli.parquet', 'Brotli');
  await c.run(`copy (select map([i], [i]) m from range(3) r(i)) to '${folder}/duckdb-map.parquet' (format parquet)`);
  refused('duckdb-map.parquet', "column 'm' is a map");
}

async function duckReads(file, wanted) {
  const c = await connect();
  const got = await c.runAndReadAll(`select * from '${folder}/${file}'`);
  same(`${file} by DuckDB`, got.getRowObjectsJson().map((row) => Object.fromEntries(Object.entries(row).map(
    ([name, value]) => [name, typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value]))), wanted);
}

// -- polars --

function frame() {
  const series = (name, type) => polars.Series(name, table.map((row) => row[name]), type);
  return polars.DataFrame({
    whole: series('whole', polars.Int32), big: series('big', polars.Int64), small: series('small', polars.Int8),
    unsigned: series('unsigned', polars.UInt32), real: series('real', polars.Float64),
    half: series('half', polars.Float32), truth: series('truth', polars.Bool), text: series('text', polars.Utf8),
    word: series('word', polars.Utf8), moment: series('moment'), list: series('list'), bag: series('bag'),
  }).withColumn(polars.col('word').cast(polars.Categorical).alias('category'));
}

function polarsWrites() {
  const wanted = without('day', 'price').map((row) => ({...row, category: row.word}));
  for (const compression of ['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4']) {
    frame().writeParquet(`${folder}/polars-${compression}.parquet`, {compression});
    check(`polars-${compression}.parquet`, wanted);
  }
  for (const compression of ['uncompressed', 'lz4', 'zstd']) {
    frame().writeIPC(`${folder}/polars-${compression}.arrow`, {compression});
    check(`polars-${compression}.arrow`, wanted);
  }
}

function polarsReads(file, wanted) {
  const data = file.endsWith('.parquet')
    ? polars.readParquet(`${folder}/${file}`)
    : polars.readIPC(fs.readFileSync(`${folder}/${file}`));
  same(`${file} by polars`, data.toRecords(), wanted);
}

// -- apache-arrow and parquet-wasm --

function arrowTable() {
  const {vectorFromArray: v} = arrow;
  const of = (name, type) => v(table.map((row) => row[name]), type);
  return new arrow.Table({
    whole: of('whole', new arrow.Int32), small: of('small', new arrow.Int8), unsigned: of('unsigned', new arrow.Uint32),
    big: v(table.map((row) => BigInt(row.big)), new arrow.Int64), real: of('real', new arrow.Float64),
    half: of('half', new arrow.Float32), truth: of('truth', new arrow.Bool), text: of('text', new arrow.Utf8),
    word: of('word', new arrow.Dictionary(new arrow.Utf8, new arrow.Int16)), day: of('day', new arrow.DateDay),
    moment: of('moment', new arrow.TimestampMillisecond),
    bag: of('bag', new arrow.List(new arrow.Field('item', new arrow.Utf8, true))),
    list: of('list', new arrow.List(new arrow.Field('item', new arrow.Float64, true))),
  });
}

function arrowWrites() {
  const wanted = without('price');
  for (const [form, ending] of [['file', 'arrow'], ['stream', 'arrows']]) {
    fs.writeFileSync(`${folder}/apache.${ending}`, arrow.tableToIPC(arrowTable(), form));
    check(`apache.${ending}`, wanted);
  }
}

function wasmWrites() {
  const wanted = without('price');
  const stream = arrow.tableToIPC(arrowTable(), 'stream');
  for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'LZ4_RAW'])
    for (const version of ['V1', 'V2'])
      for (const dictionary of [true, false]) {
        const settings = new wasm.WriterPropertiesBuilder().setCompression(wasm.Compression[codec])
          .setWriterVersion(wasm.WriterVersion[version]).setDictionaryEnabled(dictionary).setMaxRowGroupSize(100).build();
        const file = `wasm-${codec.toLowerCase()}-${version}-${dictionary ? 'coded' : 'plain'}.parquet`;
        fs.writeFileSync(`${folder}/${file}`, wasm.writeParquet(wasm.Table.fromIPCStream(stream), settings));
        check(file, wanted);
      }
}

const arrowRows = (data) => data.toArray().map((row) => row.toJSON());

function arrowReads(file, wanted) {
  same(`${file} by apache-arrow`, arrowRows(arrow.tableFromIPC(fs.readFileSync(`${folder}/${file}`))), wanted);
}

function wasmReads(file, wanted) {
  const got = wasm.readParquet(new Uint8Array(fs.readFileSync(`${folder}/${file}`))).intoIPCStream();
  same(`${file} by parquet-wasm`, arrowRows(arrow.tableFromIPC(got)), wanted);
}

// -- hyparquet --

function hyparquetWrites() {
  const column = (name, type, encoding) => ({name: `${name}`, data: table.map((row) => row[name]), type, encoding});
  const encodings = {
    whole: ['INT32', 'PLAIN', 'DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT', undefined],
    real: ['DOUBLE', 'PLAIN', 'BYTE_STREAM_SPLIT', undefined], half: ['FLOAT', 'PLAIN', 'BYTE_STREAM_SPLIT', undefined],
    truth: ['BOOLEAN', 'PLAIN', 'RLE', undefined],
    text: ['STRING', 'PLAIN', 'DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY', undefined],
    word: ['STRING', 'PLAIN', 'DELTA_BYTE_ARRAY', undefined],
  };
  for (const codec of ['UNCOMPRESSED', 'SNAPPY'])
    for (let k = 1; k < 5; k++) {
      const names = Object.keys(encodings).filter((name) => k < encodings[name].length);
      const file = `hyparquet-${codec.toLowerCase()}-${k}.parquet`;
      writer.parquetWriteFile({filename: `${folder}/${file}`, codec, rowGroupSize: 128,
        columnData: names.map((name) => column(name, encodings[name][0], encodings[name][k]))});
      check(file, table.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))));
    }
}

async function hyparquetReads(file, wanted) {
  const bytes = fs.readFileSync(`${folder}/${file}`);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const zstd = {ZSTD: (input) => new Uint8Array(execFileSync('zstd', ['-dc'], {input, stdio: ['pipe', 'pipe', 'ignore']}))};
  same(`${file} by hyparquet`, await reader.parquetReadObjects({file: buffer, compressors: zstd}), wanted);
}

// -- all of them --

if (duck) await duckWrites();
if (polars) polarsWrites();
if (arrow) arrowWrites();
if (wasm && arrow) wasmWrites();
if (writer) hyparquetWrites();

// Numbers, levels, texts, times and days with missing cells, bags and series, by Cairn.
const json = table.map(({big, small, unsigned, half, truth, price, ...row}) => ({...row,
  day: row.day.toISOString().slice(0, 10),
  moment: row.moment && row.moment.toISOString().slice(0, 23).replace('T', ' ')}));
fs.writeFileSync(`${folder}/table.ndjson`, json.map((row) => JSON.stringify(row)).join('\n') + '\n');
for (const file of ['cairn.parquet', 'cairn.arrow', 'cairn.arrows'])
  run('convert', `${folder}/table.ndjson`, `${folder}/${file}`, '--kinds', 'list=series,bag=sequence');
const written = json.map((row) => ({...row, moment: row.moment}));
check('cairn.parquet', written);
check('cairn.arrow', written);
if (duck) await duckReads('cairn.parquet', written);
if (polars) polarsReads('cairn.parquet', written);
if (polars) polarsReads('cairn.arrow', written);
if (arrow) arrowReads('cairn.arrow', written);
if (arrow) arrowReads('cairn.arrows', written);
if (arrow && wasm) wasmReads('cairn.parquet', written);
if (reader) await hyparquetReads('cairn.parquet', written);

console.log(`${compared} cells compared, ${faults} faults`);
process.exit(faults || !compared ? 1 : 0);
