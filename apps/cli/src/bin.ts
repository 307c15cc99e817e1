#!/usr/bin/env node
import { run } from "./program.ts";
import { reportError } from "./report-error.ts";
import { fileError } from "./workspace.ts";

// A reader that has enough (| head) is no error; a full disk is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  console.error(reportError(fileError("write", "standard output", "what was asked to", error)));
  process.exitCode = 1;
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (process.env.LETHE_DEBUG) console.error(error);
  console.error(reportError(error));
  process.exitCode = 1;
}
