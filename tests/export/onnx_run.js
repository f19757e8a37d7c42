// SPDX-License-Identifier: MIT
// Answer the test rows of an ONNX file by onnxruntime and compare with the answers that the file
// carries: codes equal, numbers to twelve digits. onnxruntime-node is looked for in the folder
// CAIRN_NODE_MODULES, or where node looks.
"use strict";
const fs = require("fs");
const modules = process.env.CAIRN_NODE_MODULES;
const ort = require(modules ? `${modules}/onnxruntime-node` : "onnxruntime-node");

const number = (x) => (x === null ? NaN : x === "inf" ? Infinity : x === "-inf" ? -Infinity : x);

// The texts of a property of the file: field 14 of the model, key and value.
function property(bytes, key) {
    const mark = Buffer.concat([Buffer.from([10, key.length]), Buffer.from(key), Buffer.from([18])]);
    let at = bytes.lastIndexOf(mark) + mark.length, length = 0, shift = 1;
    for (; bytes[at] > 127; at++, shift *= 128) length += (bytes[at] & 127) * shift;
    length += bytes[at] * shift;
    return bytes.slice(at + 1, at + 1 + length).toString();
}

// The cells of a column, as doubles or as texts of levels.
function tensorOf(column, cells) {
    if (column.kind !== "level")
        return new ort.Tensor("float64", Float64Array.from(cells), [cells.length, 1]);
    const texts = cells.map((x) => (isNaN(x) ? "" : column.levels[x]));
    return new ort.Tensor("string", texts, [cells.length, 1]);
}

function near(a, b, slack) {
    if (isNaN(a) || isNaN(b)) return isNaN(a) && isNaN(b);
    return a === b || Math.abs(a - b) <= Math.max(1e-12 * Math.max(Math.abs(a), Math.abs(b)), slack);
}

function feedsOf(session, told, rows) {
    if (session.inputNames.length === 1 && session.inputNames[0] === "columns" &&
        !told.columns.some((column) => column.name === "columns"))
        return {columns: new ort.Tensor("float64", Float64Array.from(rows.flat()),
                                        [rows.length, told.columns.length])};
    const feeds = {};
    told.columns.forEach((column, i) => {
        feeds[column.name] = tensorOf(column, rows.map((row) => row[i]));
    });
    return feeds;
}

async function main(file) {
    const told = JSON.parse(property(fs.readFileSync(file), "cairn.tests"));
    const session = await ort.InferenceSession.create(file);
    const rows = told.tests.map((t) => t.row.map(number));
    let wrong = 0;
    // once all rows, and once each of the first by itself
    for (const some of [told.tests, ...told.tests.slice(0, 5).map((t) => [t])]) {
        const first = told.tests.indexOf(some[0]);
        const out = await session.run(feedsOf(session, told, rows.slice(first, first + some.length)));
        const named = (name) => out[Object.keys(out).find((key) => key.replace(/_+$/, "") === name)];
        some.forEach((t, i) => {
            const codes = named("code"), numbers = named("number"), scores = named("scores");
            const labels = named("label"), k = t.scores.length;
            let good = t.code === null || Number(codes.data[i]) === t.code;
            if (labels && t.code !== null)
                good = good && labels.data[i] === (t.code < 0 ? "" : told.answer.classes[t.code]);
            good = good && (t.number === null ? !numbers || isNaN(numbers.data[i])
                                              : near(numbers.data[i], number(t.number), told.slack));
            for (let c = 0; c < k; c++)
                good = good && near(scores.data[i * k + c], number(t.scores[c]), told.slack);
            if (good) return;
            const said = {code: codes && Number(codes.data[i]), number: numbers && numbers.data[i],
                          scores: scores && Array.from(scores.data.slice(i * k, i * k + k))};
            console.log(`row ${first + i + 1}: ${JSON.stringify(said)} instead of ${JSON.stringify(t)}`);
            if (some.length > 1) wrong++;
        });
    }
    console.log(`${rows.length - wrong} of ${rows.length} rows as Cairn answers them`);
    process.exitCode = wrong ? 1 : 0;
}

main(process.argv[2]).catch((e) => {
    console.log(`not run: ${e.message}`);
    process.exitCode = 1;
});
