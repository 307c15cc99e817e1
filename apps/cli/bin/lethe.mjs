#!/usr/bin/env node
// npm links a program only where its file is there when it installs, and dist is built after that.
import { existsSync } from "node:fs";

const built = new URL("../dist/bin.mjs", import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  console.error("error [cli.usage] this clone of Lethe was not built\n  fix: npm run build, in the clone");
  process.exitCode = 2;
}
