// Loaded into every process of a probed run by NODE_OPTIONS. Writes down which test file reached which fault, at once: a process may be killed.
// ./met-setup.mjs says which test file runs.
import { appendFileSync } from "node:fs";

const seen = new Set();

globalThis.letheMet ??= (number) => {
  const test = process.env.LETHE_MET_TEST;
  const key = `${number}\t${test}`;
  if (test === undefined || seen.has(key)) return;
  seen.add(key);
  appendFileSync(process.env.LETHE_MET, `${key}\n`);
};
