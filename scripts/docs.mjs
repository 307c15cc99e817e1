// npm run docs: makes the site in docs/.vitepress/dist. The API reference is made anew from the docstrings; all other pages lie in docs.
// With --serve the site is then served on this machine alone, until it is stopped.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const api = join(root, "docs", "reference", "api");

function run(program, ...words) {
  const { status } = spawnSync(join(root, "node_modules", ".bin", program), words, {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(1);
}

rmSync(api, { recursive: true, force: true });
run("typedoc");
run("vitepress", "build", "docs");
if (process.argv.includes("--serve")) run("vitepress", "preview", "docs", "--host", "127.0.0.1");
