// npm run bench -- NAME [--data DIR] …: runs bench/NAME.mjs, which prints one JSON line a figure.
import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url))
  .filter(
    (file) =>
      file.endsWith(".mjs") &&
      !["run.mjs", "figure.mjs", "workspace.mjs", "releases.mjs", "postgres-server.mjs"].includes(file),
  )
  .map((file) => file.slice(0, -4));
const [name, ...options] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`usage: npm run bench -- ${names.join("|")} [options]`);
  process.exit(2);
}
const { default: bench } = await import(new URL(`${name}.mjs`, import.meta.url).href);
await bench(options);
