import type { TableDescription } from "@lethe/query";
import { Settings } from "../../../wire/session/settings.ts";
import { answerCatalog, openCatalog, parseCatalogQuery } from "../../index.ts";
import type { FilledQuery } from "./fill-query.ts";
import type { CatalogRows } from "./real-catalog.ts";

const version: Readonly<Record<string, string>> = { server_version: "18.4", server_version_num: "180004" };

/** Opens the catalog of these tables, for somebody whose connection has the usual settings. Errors: those of the catalog. */
export async function openSide(
  tables: readonly TableDescription[],
): Promise<(query: FilledQuery) => CatalogRows> {
  const catalog = await openCatalog(tables);
  const settings = new Settings("ada", () => undefined);
  const session = {
    user: "ada",
    database: "lethe",
    process: 1,
    now: () => Date.UTC(2026, 0, 1),
    setting: (name: string) => version[name.toLowerCase()] ?? settings.value(name),
    settings: () => Settings.names,
    configure: (name: string, value: string) => {
      settings.set(name, value);
      return settings.value(name) ?? "";
    },
  };
  return ({ text, parameters }) =>
    answerCatalog(parseCatalogQuery(text, catalog), {
      catalog,
      session,
      parameters: parameters.map((parameter) => ({ type: 0, text: parameter })),
    });
}
