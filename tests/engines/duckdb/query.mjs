// DuckDB's answer over the snapshots below a folder, by the query of docs/queries.md.
//
//   node query.mjs FOLDER    JSON on standard output: an object for each job name. On standard error: the seconds that
//                            the query took, without the start of node and of the engine.
//
// THREADS=N: threads of DuckDB (default: as many as CPUs).

import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const page = readFileSync(new URL('../../../docs/queries.md', import.meta.url), 'utf8');
const documented = page.match(/^## DuckDB$.*?^```sql\n(.*?)^```$/ms)[1];
const folder = process.argv[2].replaceAll("'", "''");
const sql = documented.replace("'runs/", () => `'${folder}/`);

const settings = process.env.THREADS ? { threads: process.env.THREADS } : {};
const connection = await (await DuckDBInstance.create(':memory:', settings)).connect();
const begin = performance.now();
const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
console.error(((performance.now() - begin) / 1000).toFixed(3));
console.log(JSON.stringify(rows, null, 1));
