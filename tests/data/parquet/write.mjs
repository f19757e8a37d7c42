// SPDX-License-Identifier: MIT
// The files beside this one, as DuckDB, parquet-wasm and hyparquet-writer write them: node write.mjs
// FOLDER, where the packages are (npm install --ignore-scripts @duckdb/node-api parquet-wasm
// apache-arrow hyparquet-writer).
import fs from 'fs';
import * as A from 'apache-arrow';
import {DuckDBInstance} from '@duckdb/node-api';
import {parquetWriteFile} from 'hyparquet-writer';
import * as P from 'parquet-wasm';

const folder = process.argv[2] ?? '.';
const duck = await (await DuckDBInstance.create(':memory:')).connect();
await duck.run(`create table t as select i::integer as i, (i * 1000000007)::bigint as l,
  (i % 100)::tinyint as t, (i * 3)::uinteger as u, case when i % 7 = 0 then null else i * 0.5 end as d,
  (i * 0.25)::float as f, i % 2 = 0 as b, case when i % 11 = 0 then null else 'text ' || i end as s,
  case when i % 5 = 0 then null else ['red', 'green', 'blue'][1 + i % 3] end as c,
  date '2020-01-01' + i::int as day, timestamp '2020-01-01 00:00:00' + interval (i) second as ts,
  (i * 1.25)::decimal(10, 2) as m, (i * 1.25)::decimal(38, 3) as m3,
  time '01:00:00' + interval (i % 1000) second as tm,
  case when i % 13 = 0 then null when i % 13 = 1 then [] else ['a' || (i % 3), null, 'b'] end as tags,
  [i * 0.5, i] as nums, {x: i, y: 's' || i % 2} as st from range(1, 41) r(i)`);
const codecs = {snappy: 'snappy', zstd: 'zstd', gzip: 'gzip', plain: 'uncompressed', lz4: 'lz4_raw'};
for (const [name, codec] of Object.entries(codecs))
  await duck.run(`copy t to '${folder}/duckdb-${name}.parquet' (format parquet, codec ${codec})`);
await duck.run(`copy t to '${folder}/duckdb-v2.parquet' (format parquet, codec zstd, parquet_version v2)`);
await duck.run(`copy (select map([i], [i * 2]) as m from range(3) r(i)) to
  '${folder}/duckdb-map.parquet' (format parquet)`);
// groups of rows that differ, so that some can be left out by what is said of them
await duck.run(`copy (select i::integer as i, case when i % 7 = 0 then null else i * 0.5 end as x,
  ['ant', 'bee', 'cat'][1 + i // 2048] as word, 'note ' || i as note,
  timestamp '2020-01-01 00:00:00' + interval (i * 3600) second as ts,
  (i * 1.25)::decimal(10, 2) as price, ['a' || (i // 2048)] as tags
  from range(0, 6144) r(i)) to '${folder}/duckdb-groups.parquet'
  (format parquet, codec zstd, row_group_size 2048)`);
await duck.run(`copy (select * from (values (null), (1.5), ('inf'::double)) t(x)) to
  '${folder}/duckdb-infinite.parquet' (format parquet)`);

const columns = {i: [1, 2, null, 4], x: [0.5, null, -1e300, 3], s: ['a', 'bc', '', null]};
const table = A.tableToIPC(new A.Table({
  i: A.vectorFromArray(columns.i, new A.Int32),
  x: A.vectorFromArray(columns.x, new A.Float64),
  s: A.vectorFromArray(columns.s, new A.Utf8),
}), 'stream');
for (const codec of ['LZ4', 'BROTLI', 'SNAPPY'])
  for (const version of ['V1', 'V2']) {
    const settings = new P.WriterPropertiesBuilder().setCompression(P.Compression[codec])
      .setWriterVersion(P.WriterVersion[version]).setDictionaryEnabled(version == 'V1').build();
    fs.writeFileSync(`${folder}/wasm-${codec.toLowerCase()}-${version.toLowerCase()}.parquet`,
      P.writeParquet(P.Table.fromIPCStream(table), settings));
  }

const r = (f) => Array.from({length: 40}, (_, i) => f(i));
parquetWriteFile({filename: `${folder}/hyparquet.parquet`, codec: 'SNAPPY', columnData: [
  {name: 'delta', data: r((i) => i * 3), type: 'INT32', encoding: 'DELTA_BINARY_PACKED'},
  {name: 'texts', data: r((i) => 'abc' + i), type: 'STRING', encoding: 'DELTA_BYTE_ARRAY'},
  {name: 'lengths', data: r((i) => 'abc' + i), type: 'STRING', encoding: 'DELTA_LENGTH_BYTE_ARRAY'},
  {name: 'split', data: r((i) => i / 4), type: 'DOUBLE', encoding: 'BYTE_STREAM_SPLIT'},
  {name: 'split4', data: r((i) => i / 4), type: 'FLOAT', encoding: 'BYTE_STREAM_SPLIT'},
]});
