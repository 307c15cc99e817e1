import type { Policy } from "../../policy/policy.ts";
import { kindOfPlace, type Place } from "./place.ts";
import type { OrderKept, TableReading } from "./table-reading.ts";

const unordered = "its rows do not name their units: there is nothing to order";

/** Beside rows that an import froze, here. */
const besideRows: Readonly<Record<OrderKept, string>> = {
  built: "built; questions use it",
  "other-seed": "built under another secret seed, so questions do not use it: run lethe index build",
  none: "none; questions order the rows themselves, with the same answers: lethe index build makes one",
  "not-needed": unordered,
};

/** Within a snapshot in Trino, which an import writes with the order of each unit's rows. */
const inSnapshot: Readonly<Record<OrderKept, string>> = {
  built: "in the snapshot; questions use it",
  "other-seed": "noted under another secret seed, so questions order the rows themselves: run lethe import",
  none: "none in the snapshot; questions order the rows themselves, with the same answers",
  "not-needed": unordered,
};

const ofLyingTable: Readonly<Record<Place, string>> = {
  files: "not imported: run lethe import, then lethe index build",
  postgres:
    "none; questions on PostgreSQL order all rows themselves, which takes tens of times as long as the plain query: run lethe import, which copies the tables, then lethe index build",
  trino:
    "none; questions on Trino order all rows themselves, with the same answers: run lethe import, which writes snapshots there with the order of each unit's rows",
};

const ofNotImported: Readonly<Record<Place, string>> = {
  files: "not imported: run lethe import, then lethe index build",
  postgres: "not imported, and other tables were: run lethe import, then lethe index build",
  trino: "not imported, and other tables were: run lethe import",
};

const ofStale: Readonly<Record<Place, string>> = {
  files: "the policy changed since the import: run lethe import, then lethe index build",
  postgres: "the policy changed since the import: run lethe import, then lethe index build",
  trino: "the policy changed since the import: run lethe import",
};

/** Says in what way a question that limits a table's rows before the filter finds their order. */
export function orderWords({ from, order }: TableReading, policy: Policy): string {
  if (order === "not-needed") return unordered;
  const place = kindOfPlace(policy);
  switch (from) {
    case "lies":
      return ofLyingTable[place];
    case "not-imported":
      return ofNotImported[place];
    case "stale":
      return ofStale[place];
    case "snapshot":
      return inSnapshot[order ?? "none"];
    case "import":
    case "copy":
      return besideRows[order ?? "none"];
  }
}
