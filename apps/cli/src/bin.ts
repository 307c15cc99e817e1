#!/usr/bin/env node
/*
 * Imports nothing by a statement: a bundler would put parts that others share beside such an entry, and they would wait for the program that
 * waits for them.
 */
const { main } = await import("./main.ts");
await main(process.argv.slice(2));
