import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { readHouse } from "./house/read-sources.mjs";
import { localImports } from "./local-imports.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const changed = (code, id = "/house/a.ts") =>
  localImports().transform.call({ parse: parseAst }, code, id)?.code ?? null;

/** Tells whether a module exports a variable, by its declaration or by a list of names. */
function exportsVariable(text) {
  const variables = [...text.matchAll(/^(?:let|var) (\w+)/gm)].map(([, name]) => name);
  const listed = [...text.matchAll(/^export \{([^}]*)\}(?! from)/gm)].flatMap(([, names]) =>
    names.split(",").map((each) => each.trim().split(" as ")[0]),
  );
  return /^export (let|var)\b/m.test(text) || listed.some((name) => variables.includes(name));
}

describe("imports as constants", () => {
  it("take every kind of import by name, on the lines where they were", () => {
    const code = `import one, { two, three as drei, "four-4" as four } from "./b.ts";
import * as all from "./c.ts";
import "./d.ts";
export { five } from "./e.ts";
const six = one + two;
import { seven } from "./f.ts";
export { six, seven };`;
    expect(changed(code)?.split("\n")).toEqual([
      'import imported_one, { two as imported_two, three as imported_drei, "four-4" as imported_four } from "./b.ts";' +
        " const one = imported_one; const two = imported_two; const drei = imported_drei; const four = imported_four;",
      'import * as all from "./c.ts";',
      'import "./d.ts";',
      'export { five } from "./e.ts";',
      "const six = one + two;",
      'import { seven as imported_seven } from "./f.ts"; const seven = imported_seven;',
      "export { six, seven };",
    ]);
  });

  it("leave alone what imports nothing, what is installed, and tests whose imports Vitest moves", () => {
    expect(changed("export const one = 1;")).toBeNull();
    expect(changed('import { a } from "b";', "/house/node_modules/b/index.mjs")).toBeNull();
    expect(changed('import { vi } from "vitest"; vi.mock("b");')).toBeNull();
  });

  it("would be unsound where a module assigns to an export again", () => {
    expect(exportsVariable("export let a = 1;")).toBe(true);
    expect(exportsVariable("let a = 1;\nconst b = 2;\nexport { b, a as c };")).toBe(true);
    expect(exportsVariable('let a = 1;\nexport const b = a;\nexport { a } from "./a.ts";')).toBe(false);
  });

  it("are sound here: no module assigns to an export again", () => {
    const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.mjs"], {
      cwd: root,
      encoding: "utf8",
    })
      .split("\n")
      .filter((path) => /^(packages|apps|testing|scripts|bench)\//.test(path));
    expect(sources.length).toBeGreaterThan(1000);
    expect(sources.filter((path) => exportsVariable(readFileSync(join(root, path), "utf8")))).toEqual([]);
  });

  it("are at work: what a module of the house uses is its own, and not so in this test, which names vi.mock", () => {
    expect(String(readHouse)).not.toContain("__vi_import");
    expect(String(changed)).toContain("__vi_import");
  });
});
