import { LetheError } from "@lethe/core";
import { describeTables } from "@lethe/query";
import { renderJson } from "@lethe/serve/formats";
import { copiesWords } from "../../copies/copies-words.ts";
import { renderTable } from "../../render/layout/catalog.ts";
import { say } from "../../render/say.ts";
import { policyOf, workspaceOf } from "../../workspace.ts";

interface TablesFlags {
  readonly policy: string;
  readonly format: "table" | "json";
}

/** Runs lethe tables: tells what the policy lets one ask. It opens neither data nor ledger. */
export async function tables(name: string | undefined, { policy: path, format }: TablesFlags): Promise<void> {
  const workspace = workspaceOf(path);
  const policy = policyOf(workspace);
  const all = await describeTables(policy);
  const asked = all.filter((table) => name === undefined || table.name.toLowerCase() === name.toLowerCase());
  if (asked.length === 0)
    throw new LetheError("query.unknown-table", `the policy has no table ${JSON.stringify(name)}`, {
      fix: `write one of: ${all.map((table) => table.name).join(", ")}`,
    });
  say(format === "json" ? renderJson(asked) : asked.map((table) => renderTable(table)).join("\n\n\n"));
  const copies = await copiesWords(workspace, policy);
  if (copies !== null && format === "table") say(`\n${copies}`);
}
