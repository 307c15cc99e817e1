import { type Command, Option } from "commander";
import { collect, collectSome, policyOption } from "../options.ts";

const waysToLimit = ["groups-after-filter", "rows-before-filter"];

/** Adds `lethe init`. */
export function addInitCommand(lethe: Command): void {
  lethe
    .command("init")
    .description(
      "draft a policy from a CSV's header, or a database's declared keys, and your words, and open its ledger; never reads the values",
    )
    .argument(
      "[file]",
      "the data: .csv, .parquet or .duckdb; leave it out to open the ledger of an existing policy",
    )
    .option(
      "--postgres [variable]",
      "draft from the PostgreSQL database whose URL this environment variable holds (default: LETHE_DATABASE_URL)",
    )
    .option(
      "--table <name>",
      "name of the table (default: the file's name); of a database, the tables that are wanted (repeatable)",
      collectSome,
    )
    .option(
      "--unit <column>",
      'who is protected: "row", or the column that names the person; in a database table.column',
    )
    .option("--unit-name <word>", "name of a unit", "person")
    .addOption(
      new Option(
        "--adjacency <kind>",
        "what is hidden: whether a unit is in the data, or only what its data say",
      )
        .choices(["add-or-remove-one", "replace-one"])
        .default("add-or-remove-one"),
    )
    .option(
      "--bounds <column=lo..hi>",
      "bounds of a number (repeatable); column=int:lo..hi for integers, column=2010-01-01..2029-12-31 for dates",
      collect,
      [],
    )
    .option("--categories <column=a,b,c>", "public categories of a text column (repeatable)", collect, [])
    .option("--booleans <columns>", "columns that are true or false, with commas")
    .option("--max-groups <k>", "groups one unit may contribute to")
    .option("--max-rows <r>", "rows one unit may contribute to a group")
    .addOption(
      new Option(
        "--limit <what>",
        "rows to which --max-groups and --max-rows apply: those that a question keeps, or those of the table",
      ).choices(waysToLimit),
    )
    .addOption(
      new Option("--bound <what>", "the older word for --limit")
        .choices(waysToLimit)
        .conflicts("limit")
        .hideHelp(),
    )
    .option("--expected-rows <n>", "approximate number of rows, which is public; used for advice alone")
    .option("--delimiter <character>", "separator of the fields of a CSV", ",")
    .addOption(
      new Option("--measure <measure>", "privacy measure of the account")
        .choices(["pure", "approximate", "zcdp"])
        .default("approximate"),
    )
    .option("--epsilon <number>", "the budget's ε", "5")
    .option("--delta <number>", "the budget's δ", "1e-6")
    .addOption(policyOption())
    .action(async (file: string | undefined, options) =>
      (await import("./init.ts")).init(file, {
        ...options,
        limit: options.limit ?? options.bound,
      }),
    );
}
