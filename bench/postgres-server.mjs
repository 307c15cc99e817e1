import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { defaultData } from "./generate.mjs";

/** The servers that the tests start, from the same source: a PostgreSQL of its own, or null where there are no binaries. */
export async function startServer(settings, environment) {
  const source = readFileSync(new URL("../testing/src/postgres/start-postgres.ts", import.meta.url), "utf8");
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  // Beside the data, from where packages are found as from here.
  mkdirSync(defaultData, { recursive: true });
  const path = join(defaultData, "start-postgres.mjs");
  writeFileSync(path, ts.transpileModule(source, { compilerOptions: options }).outputText);
  const { hasPostgres, startPostgres } = await import(pathToFileURL(path).href);
  return hasPostgres() ? startPostgres(settings, undefined, null, environment) : null;
}
