// SPDX-License-Identifier: MIT
// The files beside this one, as apache-arrow and nodejs-polars write them: node write.mjs FOLDER
// Run where both packages are (npm install --ignore-scripts apache-arrow nodejs-polars
// nodejs-polars-linux-x64-gnu).
import * as A from 'apache-arrow';
import fs from 'fs';
const folder = process.argv[2] ?? '.';
const {vectorFromArray: v, makeData} = A;
const T={
 i8:[new A.Int8,[1,null,-3]], i16:[new A.Int16,[1,null,-300]], i32:[new A.Int32,[1,null,-70000]], i64:[new A.Int64,[1n,null,-5000000000n]],
 u8:[new A.Uint8,[1,null,255]], u16:[new A.Uint16,[1,null,65535]], u32:[new A.Uint32,[1,null,4294967295]], u64:[new A.Uint64,[1n,null,9007199254740991n]],
 f16:[new A.Float16,[1.5,null,-2]], f32:[new A.Float32,[1.5,null,-0.25]], f64:[new A.Float64,[0.1,null,-1e300]],
 bool:[new A.Bool,[true,null,false]], utf8:[new A.Utf8,['ä','',null]], large:[new A.LargeUtf8,['long text, with comma',null,'x']],
 bin:[new A.Binary,[new TextEncoder().encode('bytes'),null,new TextEncoder().encode('b')]],
 date:[new A.DateDay,[new Date('2026-11-19'),null,new Date('1969-12-31')]], datems:[new A.DateMillisecond,[new Date('2026-11-19'),null,new Date('1969-12-31')]],
 ts_s:[new A.TimestampSecond,[1763510400000,null,-1000]], ts_ms:[new A.TimestampMillisecond('Europe/Paris'),[1763510400123,null,-1000]], ts_us:[new A.TimestampMicrosecond('UTC'),[1763510400123,null,-1000]], ts_ns:[new A.TimestampNanosecond,[1763510400123,null,-1000]],
 t_s:[new A.TimeSecond,[3600,null,59]], t_ms:[new A.TimeMillisecond,[3600000,null,59000]], t_us:[new A.TimeMicrosecond,[3600000000n,null,59000000n]],
 du_s:[new A.DurationSecond,[5n,null,-1n]], du_ms:[new A.DurationMillisecond,[5n,null,-1n]],
 dict:[new A.Dictionary(new A.Utf8,new A.Int8),['one','two',null]], 
 dicti:[new A.Dictionary(new A.Int32,new A.Int16),[100,null,100]],
 list:[new A.List(new A.Field('item',new A.Utf8,true)),[['a','b'],null,[]]],
 listf:[new A.List(new A.Field('item',new A.Float64,true)),[[1,2.5],null,[]]],
 fsl:[new A.FixedSizeList(2,new A.Field('item',new A.Float32,true)),[[1,2],null,[3,4]]],
 nul:[new A.Null,[null,null,null]],
 dec:[new A.Decimal(2,10,128),null],
};
const cols={};
for (const [k, [t, d]] of Object.entries(T)) {
  if (k=='dec') { cols[k]=new A.Vector([makeData({type:t,length:3,nullCount:1,nullBitmap:new Uint8Array([5]),data:new Uint32Array([12345,0,0,0, 0,0,0,0, 0xffffff85,0xffffffff,0xffffffff,0xffffffff])})]); continue; }
  cols[k]=v(d,t);
}
const map=new A.Map_(new A.Field('entries',new A.Struct([new A.Field('key',new A.Utf8,false),new A.Field('value',new A.Float64,true)]),false));
cols.map=v([new Map([['p',1.5],['q',2]]),null,new Map()],map);
const t=new A.Table(cols);
fs.writeFileSync(folder + '/types.arrow',A.tableToIPC(t,'file')); fs.writeFileSync(folder + '/types.arrows',A.tableToIPC(t,'stream'));
// several batches, a dictionary that grows
const b=A.makeBuilder({type:new A.Dictionary(new A.Utf8,new A.Int32),nullValues:[null]});
function chunk(vals){ for (const x of vals) b.append(x); return b.flush(); }
const d1=chunk(['a','b',null]); const d2=chunk(['c','a','d']);
const vec=new A.Vector([d1,d2]);
const num=new A.Vector([v([1,2,3],new A.Float64).data[0],v([4,null,6],new A.Float64).data[0]]);
const txt=new A.Vector([v(['x','y',null],new A.Utf8).data[0],v(['z','x','y'],new A.Utf8).data[0]]);
const t2=new A.Table({vec,num,txt});
fs.writeFileSync(folder + '/batches.arrow',A.tableToIPC(t2,'file')); fs.writeFileSync(folder + '/batches.arrows',A.tableToIPC(t2,'stream'));
// what polars packs
import pl from 'nodejs-polars';
const r = (f) => Array.from({length: 40}, (_, i) => f(i));
const df = pl.DataFrame({
  i: pl.Series('i', r((i) => (i % 7 ? i : null)), pl.Int64),
  f: pl.Series('f', r((i) => (i % 5 ? i * 0.5 : null)), pl.Float64),
  b: pl.Series('b', r((i) => i % 2 == 0)),
  s: pl.Series('s', r((i) => (i % 11 ? 'text number ' + i : null))),
  d: pl.Series('d', r((i) => new Date(86400000 * i))),
  l: pl.Series('l', r((i) => ['x' + (i % 3), 'y'])),
  n: pl.Series('n', r((i) => [i, 0.5])),
});
for (const compression of ['uncompressed', 'lz4', 'zstd'])
  df.writeIPC(`${folder}/polars-${compression}.arrow`, {compression});
