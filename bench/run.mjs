// npm run bench -- NAME [--data DIR] …: runs bench/NAME.mjs, which prints one JSON line a figure.
import { readdirSync } from "node:fs";

/** The files that the benchmarks share; they are no benchmarks themselves. */
const shared = [
  ...[
    "run",
    "figure",
    "report-of",
    "workspace",
    "releases",
    "postgres-server",
    "binomial",
    "shortest-valid",
    "random-settings",
  ],
].map((name) => `${name}.mjs`);
const names = readdirSync(new URL(".", import.meta.url))
  .filter((file) => file.endsWith(".mjs") && !shared.includes(file))
  .map((file) => file.slice(0, -4));
const [name, ...options] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`usage: npm run bench -- ${names.join("|")} [options]`);
  process.exit(2);
}
const { default: bench } = await import(new URL(`${name}.mjs`, import.meta.url).href);
await bench(options);
