import { type Command, Option } from "commander";
import { policyOption } from "./options.ts";

/** Adds `lethe import`, `lethe data`, `lethe index` and `lethe tables`. */
export function addDataCommands(lethe: Command): void {
  lethe
    .command("import")
    .description(
      "freeze a table into a typed, clamped, fixed-point snapshot; queries read it instead of the file or the database",
    )
    .argument("[file]", "the file, as the policy names it; or --table")
    .option(
      "--table <name>",
      "the table of the policy (of a database, default: all of them, as of one moment)",
    )
    .option("--remove", "remove the snapshot, so that queries read the file or the database again")
    .addOption(policyOption())
    .action(async (file: string | undefined, options) =>
      (await import("./import.ts")).importTable(file, options),
    );

  const data = lethe
    .command("data")
    .description("the versions of the data: the same question of the same version is answered once");
  data
    .command("changed")
    .description(
      "declare that the data changed, so that the same question is paid for again; for tables that are not imported, since an import says so itself",
    )
    .option("--table <name>", "the table of the policy that changed (default: all of them)")
    .addOption(policyOption())
    .action(async (options) => (await import("./versions/data-changed.ts")).dataChanged(options));

  const index = lethe
    .command("index")
    .description("the order of each unit's rows, kept in a snapshot; changes no answer, only its time");
  index
    .command("build")
    .description("order the rows of every table whose rows are limited before the filter, or of one table")
    .option("--table <name>", "the table of the policy")
    .addOption(policyOption())
    .action(async (options) => (await import("./place-index.ts")).build(options));
  index
    .command("status")
    .description("show which tables have an index, and whether questions use it; reads no row")
    .option("--table <name>", "the table of the policy")
    .addOption(policyOption())
    .action(async (options) => (await import("./place-index.ts")).status(options));

  lethe
    .command("tables")
    .description(
      "tell what the policy lets one ask: tables, units, columns, bounds, categories and a few questions; free, opens no data",
    )
    .argument("[table]", "one table or view; all of them where it is left out")
    .addOption(new Option("--format <format>", "output format").choices(["table", "json"]).default("table"))
    .addOption(policyOption())
    .action(async (name: string | undefined, options) =>
      (await import("./catalog/tables.ts")).tables(name, options),
    );
}
