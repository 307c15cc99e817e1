#!/usr/bin/env node
import { run } from "./program.ts";
import { reportError } from "./report-error.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (process.env.LETHE_DEBUG) console.error(error);
  console.error(reportError(error));
  process.exitCode = 1;
}
