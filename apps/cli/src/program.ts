import { LetheError } from "@lethe/core";
import { Argument, Command, CommanderError, Option } from "commander";
import { addAccount } from "./account/command-tree.ts";
import { addBudgetCommands } from "./commands/budget/budget-commands.ts";
import type { Shell } from "./commands/completion/completion.ts";
import { examples } from "./commands/completion/examples.ts";
import type { SchemaKind } from "./commands/schema.ts";
import { addServeCommands } from "./commands/serve/serve-commands.ts";

const waysToLimit = ["groups-after-filter", "rows-before-filter"];
const policyOption = (): Option => new Option("--policy <file>", "the policy").default("lethe.yaml");
const headFileOption = (): Option =>
  new Option(
    "--head-file <file>",
    "keeps the ledger's head on another disk, so that an older ledger that is put back is refused (default: the policy's head_file)",
  );

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

/** Collects values as {@link collect} does; returns undefined where the option is left out. */
function collectSome(value: string, previous: string[] | undefined): string[] {
  return collect(value, previous ?? []);
}

/** Returns the command tree. Each action loads what it needs, so that a query starts fast. */
export function program(): Command {
  const lethe = new Command("lethe")
    .description(
      "Differential privacy for SQL: a private answer, its error bar, its price, and a certificate.",
    )
    .version("0.1.0")
    .showHelpAfterError("(lethe --help shows every command)")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });

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
      (await import("./commands/init/init.ts")).init(file, {
        ...options,
        limit: options.limit ?? options.bound,
      }),
    );

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
      (await import("./commands/import.ts")).importTable(file, options),
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
    .action(async (options) => (await import("./commands/versions/data-changed.ts")).dataChanged(options));

  const index = lethe
    .command("index")
    .description("the order of each unit's rows, kept in a snapshot; changes no answer, only its time");
  index
    .command("build")
    .description("order the rows of every table whose rows are limited before the filter, or of one table")
    .option("--table <name>", "the table of the policy")
    .addOption(policyOption())
    .action(async (options) => (await import("./commands/place-index.ts")).build(options));
  index
    .command("status")
    .description("show which tables have an index, and whether questions use it; reads no row")
    .option("--table <name>", "the table of the policy")
    .addOption(policyOption())
    .action(async (options) => (await import("./commands/place-index.ts")).status(options));

  lethe
    .command("tables")
    .description(
      "tell what the policy lets one ask: tables, units, columns, bounds, categories and a few questions; free, opens no data",
    )
    .argument("[table]", "one table or view; all of them where it is left out")
    .addOption(new Option("--format <format>", "output format").choices(["table", "json"]).default("table"))
    .addOption(policyOption())
    .action(async (name: string | undefined, options) =>
      (await import("./commands/catalog/tables.ts")).tables(name, options),
    );

  const asked = (command: Command): Command =>
    command
      .argument("<sql>", 'the question; "-" reads it from standard input')
      .option("--epsilon <number>", "the price (default: the policy's)")
      .option("--delta <number>", "the δ it may use (default: the policy's)")
      .option("--param <n=value>", "the value of $n in the question (repeatable)", collect, [])
      .option("--params <json>", "the values of $1, $2 … as a JSON list")
      .option("--today <day>", "the day that CURRENT_DATE and now() stand for (default: today's, in UTC)")
      .option(
        "--target-error <number>",
        "instead of a price: the half-width that no interval may exceed; 5% as in the next option",
      )
      .option(
        "--target-error-relative <share>",
        "the same as a share of an earlier release, of a pilot, or (counts) of the policy's expected_rows",
      )
      .option(
        "--target-release <file>",
        "what the share is of: a release written by --out, or the id of a request; of several numbers the median size",
      )
      .option("--pilot-epsilon <number>", "ask first at this price; the share is of that answer")
      .option("--max-epsilon <number>", "with a pilot: the most that the second question may cost")
      .option("--target-rows <n>", "rows of the smallest group that the target is meant for")
      .option(
        "--advantage <number>",
        "instead of a price: the most that a test of membership may gain over guessing from this question, as 0.1",
      )
      .option("--confidence <number>", "coverage of the intervals", "0.95")
      .addOption(new Option("--keys <kind>", "how group keys are chosen").choices(["public", "private"]))
      .addOption(new Option("--mechanism <noise>", "noise mechanism to use").choices(["laplace", "gaussian"]))
      .addOption(policyOption());

  asked(
    lethe.command("explain").description("the plan, its price and its expected error: free, touches no row"),
  )
    .addOption(new Option("--format <format>", "output format").choices(["table", "json"]).default("table"))
    .option("--as <analyst>", "who would ask: an answer that they have already costs nothing", "owner")
    .option("--project <name>", "the project that it would be asked for")
    .action(async (sql: string, options) => (await import("./commands/explain.ts")).explain(sql, options));

  asked(lethe.command("query").description("pay, and get the answer with its intervals and certificate"))
    .addOption(
      new Option("--format <format>", "output format").choices(["table", "json", "csv"]).default("table"),
    )
    .option("--out <file>", "also write the release as JSON into a new file, for lethe verify")
    .option("--plot <file>", "also draw the answer with its intervals into a new .svg, or .png")
    .option(
      "--yes",
      "pay even for an answer that is expected to be uninformative; a script is refused without this option",
    )
    .option("--as <analyst>", "who asks", "owner")
    .option("--project <name>", "the project that it is asked for, whose caps cover it too")
    .option(
      "--request <id>",
      "id of the request; asked again under it, the answer is the same and nothing is charged",
    )
    .addOption(
      new Option(
        "--fresh",
        "pay for a new answer even where the same question of the same data was answered before, which is shown again for nothing otherwise",
      ).conflicts("request"),
    )
    .addOption(
      new Option(
        "--made",
        "pay for nothing: take the answer that earlier releases make, however wide it is",
      ).conflicts(["request", "fresh"]),
    )
    .option("--verbose", "write every note out; a table tells the first one shortly")
    .addOption(headFileOption())
    .action(async (sql: string, options) => (await import("./commands/query.ts")).query(sql, options));

  lethe
    .command("sql")
    .description("ask one question after the other: each shows its price and waits for a yes before it pays")
    .option("--epsilon <number>", "the price of a question (default: the policy's)")
    .option("--delta <number>", "the δ that a question may use (default: the policy's)")
    .option("--confidence <number>", "coverage of the intervals", "0.95")
    .addOption(new Option("--keys <kind>", "how group keys are chosen").choices(["public", "private"]))
    .addOption(new Option("--mechanism <noise>", "noise mechanism to use").choices(["laplace", "gaussian"]))
    .option(
      "--fresh",
      "pay for every answer, also where the same question of the same data was answered before",
    )
    .option("--verbose", "write every note out")
    .option("--as <analyst>", "who asks", "owner")
    .option("--project <name>", "the project that it is asked for, whose caps cover it too")
    .addOption(policyOption())
    .addOption(headFileOption())
    .action(async (options) => (await import("./commands/sql/sql.ts")).sql(options));

  lethe
    .command("train")
    .description("pay once for the sums that models need, and fit the models to them")
    .argument(
      "<models...>",
      "descriptions of models (YAML): regression, covariance, pca, naive-bayes, marginals, k-means; boosting, convex or network alone",
    )
    .option("--explain", "tell the price and the noise of every sum instead: free, touches no row")
    .option("--epsilon <number>", "the price of all models together (default: the policy's)")
    .option("--delta <number>", "the delta that the training may cost (default: the policy's)")
    .addOption(new Option("--mechanism <noise>", "noise mechanism to use").choices(["laplace", "gaussian"]))
    .option("--confidence <number>", "coverage of the intervals", "0.95")
    .option("--from <file>", "fit to the sums of an earlier training, which --out wrote, for nothing")
    .option(
      "--out <file>",
      "also write the models and their release as JSON into a new file, for lethe verify",
    )
    .option("--card <file>", "also write a model card in Markdown into a new file")
    .addOption(
      new Option("--format <format>", "output format; sql: a list of expressions that score a row")
        .choices(["table", "json", "sql"])
        .default("table"),
    )
    .option(
      "--yes",
      "pay even for sums that are expected to be uninformative; a script is refused without this option",
    )
    .option("--as <analyst>", "who asks", "owner")
    .option("--project <name>", "the project that it is asked for, whose caps cover it too")
    .option(
      "--request <id>",
      "id of the request; asked again under it, the answer is the same and nothing is charged",
    )
    .addOption(policyOption())
    .addOption(headFileOption())
    .action(async (paths: string[], options) => (await import("./commands/train.ts")).train(paths, options));

  lethe
    .command("synthesize")
    .description("pay once for noisy tables of counts, and draw a synthetic table from them")
    .argument("[description]", "description of the synthetic table (YAML); left out with --from")
    .option(
      "--explain",
      "tell price, noise, size and time of the synthetic table instead: free, touches no row",
    )
    .option("--epsilon <number>", "the price of the whole table (default: the policy's)")
    .option("--delta <number>", "the delta that the table may cost (default: the policy's)")
    .option("--out <file>", "write the synthetic rows into a new .csv, or .parquet")
    .option("--rows <n>", "rows to draw (default: the noisy number of rows)")
    .option("--report <file>", "also write a page with the error of each measured table into a new .html")
    .option("--release <file>", "also write the release as JSON into a new file, for --from")
    .option("--card <file>", "also write a model card in Markdown into a new file")
    .option("--from <file>", "draw from an earlier release, which --release wrote, for nothing")
    .addOption(
      new Option("--format <format>", "output format of the errors; json: with the release")
        .choices(["table", "json"])
        .default("table"),
    )
    .option(
      "--yes",
      "pay even for a table that is expected to be uninformative; a script is refused without this option",
    )
    .option("--as <analyst>", "who asks", "owner")
    .option("--project <name>", "the project that it is asked for, whose caps cover it too")
    .option(
      "--request <id>",
      "id of the request; asked again under it, the answer is the same and nothing is charged",
    )
    .addOption(policyOption())
    .addOption(headFileOption())
    .action(async (path: string | undefined, options) =>
      (await import("./commands/synthesize.ts")).synthesize(path, options),
    );

  lethe
    .command("card")
    .description(
      "check a file of models, and write their card in Markdown: free, opens no data and no ledger",
    )
    .argument("<models>", "what lethe train --out or lethe synthesize --release wrote")
    .option("--out <file>", "write the card into a new file instead of printing it")
    .addOption(policyOption())
    .action(async (path: string, options) => (await import("./commands/card.ts")).card(path, options));

  addBudgetCommands(lethe, headFileOption);

  lethe
    .command("verify")
    .description("check a release from its certificate, the policy and the public key alone")
    .argument(
      "<release>",
      "a release written by lethe query --out or --format json, or models written by lethe train --out",
    )
    .option("--policy <file>", "the policy it should follow")
    .option("--public-key <file>", "the ledger's public key (PEM)")
    .option("--target-release <file>", "the release that its target error is a share of")
    .addOption(new Option("--format <format>", "output format").choices(["table", "json"]).default("table"))
    .action(async (path: string, options) => (await import("./commands/verify.ts")).verify(path, options));

  const ledger = lethe
    .command("ledger")
    .description("check the ledger, upgrade one of an earlier format, or move it to PostgreSQL");
  ledger
    .command("tables")
    .description("print the SQL that makes a ledger's tables in PostgreSQL, for their owner to run")
    .option("--schema <name>", "the schema, which is made", "lethe")
    .option("--role <name>", "the role that gateways connect as, which is there", "lethe_gateway")
    .action(async (options) => (await import("./commands/ledger.ts")).printTables(options));
  ledger
    .command("move")
    .argument(
      "<place>",
      "postgres://ROLE@HOST/DATABASE?schema=SCHEMA, or the word file; the password comes from PGPASSWORD or the password file",
    )
    .description(
      "move the ledger from its file to PostgreSQL, for several gateways to share, or back into a file; where it was is sealed",
    )
    .option(
      "--head-file <file>",
      "a file on another disk that keeps the head: it is compared before and after",
    )
    .addOption(policyOption())
    .action(async (place: string, options) =>
      (await import("./commands/ledger.ts")).moveChain(place, options),
    );
  ledger
    .command("upgrade")
    .description(
      "go on with a ledger of the first format: it is verified before and after, and its file is kept",
    )
    .option("--head-file <file>", "a file on another disk that keeps the head: it is compared, then written")
    .addOption(policyOption())
    .action(async (options) => (await import("./commands/ledger.ts")).upgradeChain(options));
  ledger
    .command("verify")
    .description("check the whole hash chain, every sum and every cap")
    .option(
      "--head <sequence:hash>",
      "a head that was kept elsewhere; it shows that an older ledger was put back",
    )
    .option(
      "--head-file <file>",
      "a file on another disk that keeps the head: it is compared, then written; it is made where there is none",
    )
    .addOption(policyOption())
    .action(async (options) => (await import("./commands/ledger.ts")).verifyChain(options));

  addServeCommands(lethe);

  lethe
    .command("audit")
    .description(
      "attack Lethe's own mechanisms and Lethe as a service, or your function, or your question, and show the controls being caught",
    )
    .option("--quick", "run a shorter audit, of a minute or two")
    .option(
      "--soak [seeds]",
      "run mechanisms and controls on this many fresh seeds, from --seed on (default: 1000); takes an hour; --only estimate leaves out the attacks",
    )
    .option("--seed <n>", "the seed of the audit's randomness", "1")
    .option(
      "--only <audits>",
      "verify, replay, impossible, estimate, one-run, answers, attacks, policy (also where --policy is named); with commas",
    )
    .option("--subjects <names>", "only these subjects of the audits, with commas")
    .option("--function <file#name>", "audit this exported function (data, dp) instead, on --neighbours")
    .option("--neighbours <file>", "JSON: a list of pairs of data sets that differ in one person")
    .option(
      "--server <url>",
      "attack this running service instead, over the wire, as analysts whom it knows; on a copy of it, since sign-ins and budget are used up",
    )
    .option("--token-file <file>", "the file that holds the token of one analyst")
    .option("--postgres <url>", "attack the service's port of PostgreSQL's protocol, too")
    .option("--other-token-file <file>", "the same of a second one, who colludes with the first")
    .option(
      "--epsilon <number>",
      "the ε that the function claims, the question's price, or the most that attacks on a service may spend",
    )
    .option("--time-limit <seconds>", "time after which a run of the function counts as hanging", "10")
    .option(
      "--question <sql>",
      "audit this question instead, the whole way, on the policy's data and those of --neighbour",
    )
    .option("--neighbour <policy>", "the same policy over data that differ in one unit")
    .option("--delta <number>", "the δ that the question may use (default: the policy's)")
    .option("--param <n=value>", "the value of $n in the question (repeatable)", collect, [])
    .option("--params <json>", "the values of $1, $2 … as a JSON list")
    .option("--report <file>", "also write a page with the table and plots into a new .html")
    .option("--json", "print JSON")
    .addOption(policyOption())
    .action(async (options, command: Command) => {
      const given = Object.keys(options).filter((name) => command.getOptionValueSource(name) === "cli");
      await (await import("./commands/audit.ts")).audit({ ...options, given });
    });

  addAccount(lethe);

  const policy = lethe.command("policy").description("the policy");
  policy
    .command("check")
    .description("read the policy, say what is wrong and what is unwise")
    .addOption(policyOption())
    .option(
      "--connect",
      "also ask each file or database whether its tables, columns and role are as the policy says; reads no row",
    )
    .option(
      "--rows",
      "for a database, where nothing is imported: also read all rows, and tell how many units exceed their limits; the numbers are exact and for the owner only",
    )
    .action(async (options) => (await import("./commands/policy.ts")).check(options));
  policy
    .command("schema")
    .description("print the policy's JSON Schema, for editors")
    .action(async () => (await import("./commands/schema.ts")).schema("policy"));

  lethe
    .command("schema")
    .description(
      "print the JSON Schema of a kind of file, by which an editor completes and checks it, or of what --format json prints",
    )
    .addArgument(
      new Argument("<file>", "the kind of file").choices(["policy", "model", "synthesis", "answer", "error"]),
    )
    .action(async (kind: SchemaKind) => (await import("./commands/schema.ts")).schema(kind));

  lethe
    .command("completion")
    .description("print a script by which a shell completes commands and options")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: Shell) =>
      (await import("./commands/completion/completion.ts")).completion(shell, lethe),
    );

  for (const command of everyCommand(lethe)) {
    const example = examples[wordsOf(command)];
    if (example !== undefined) command.addHelpText("after", `\nExample:\n  ${example}`);
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  }
  return lethe;
}

/** The words of a command behind `lethe`. */
function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}`.trim() : "";
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** Runs the command line. Commander's own refusals become cli.usage; help and version return normally. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const message = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
    const unknown = unknownCommand(argv);
    if (/^too many arguments/.test(message) && unknown !== null) throw unknown;
    throw new LetheError("cli.usage", message === "(outputHelp)" ? "a command is needed" : message, {
      fix: usageFix(message),
    });
  }
}

/** The refusal of a word that stands where a group of commands has the name of one of them; null where no such word does. */
function unknownCommand(argv: readonly string[]): LetheError | null {
  let group = program();
  for (const word of argv) {
    const next = group.commands.find((command) => command.name() === word);
    if (next !== undefined) {
      group = next;
      continue;
    }
    if (group.commands.length === 0 || group.parent === null || word.startsWith("-")) return null;
    return new LetheError("cli.usage", `lethe ${wordsOf(group)} has no command ${JSON.stringify(word)}`, {
      fix: `write one of: ${group.commands.map((command) => command.name()).join(", ")}`,
    });
  }
  return null;
}

function usageFix(message: string): string {
  if (/^too many arguments for '(query|explain)'/.test(message))
    return 'put the whole question into one pair of quotes: lethe query "SELECT COUNT(*) FROM people"';
  if (/^unknown option '[^']*\s/.test(message))
    return 'write -- before a question that begins with a dash: lethe query --epsilon 0.5 -- "-- …"';
  return "lethe --help shows every command, lethe COMMAND --help its options";
}
