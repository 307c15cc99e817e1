// npm run formulas: writes docs/reference/formulas.md from the docstrings of core. Exits 1, and says what, where a formula is incomplete.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gather, readCore } from "./formulas/gather.mjs";
import { renderPage } from "./formulas/page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const found = gather(readCore(root));
writeFileSync(new URL("../docs/reference/formulas.md", import.meta.url), renderPage(found));
for (const fault of found.faults) console.error(fault);
if (found.faults.length > 0) process.exitCode = 1;
