import { readFileSync } from "node:fs";
import { describeTables, readPolicy } from "@lethe/query";
import { it } from "vitest";
import { policyText } from "../testing/app-house.ts";
import { answerCatalog, openCatalog, parseCatalogQuery } from "./index.ts";

it("scratch", async () => {
  const policy = readPolicy(policyText);
  const catalog = await openCatalog(await describeTables(policy));
  const session = {
    user: "ada",
    database: "lethe",
    process: 1,
    now: () => 0,
    setting: () => "x",
    settings: () => [],
    configure: (_: string, v: string) => v,
  };
  for (const text of readFileSync("/tmp/lethe/catalog-scratch.sql", "utf8")
    .split(/;\s*\n/)
    .filter((t) => t.trim())) {
    const at = performance.now();
    try {
      const answer = answerCatalog(parseCatalogQuery(text, catalog), { catalog, session });
      console.log(
        text.slice(0, 300),
        "\n=>",
        (performance.now() - at).toFixed(1),
        "ms",
        answer.rows.length,
        JSON.stringify(answer.columns.map((c) => [c.name, c.type].join(":"))),
        JSON.stringify(answer.rows.slice(0, 5)),
      );
    } catch (error) {
      console.log(
        text.slice(0, 300),
        "\n=> ERR",
        error instanceof Error
          ? (error as { code?: string }).code + " " + error.message + ("code" in error ? "" : error.stack)
          : error,
      );
    }
  }
});
