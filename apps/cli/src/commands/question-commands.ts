import { type Command, Option } from "commander";
import { collect, headFileOption, policyOption } from "./options.ts";

/** Adds `lethe explain`, `lethe query` and `lethe sql`. */
export function addQuestionCommands(lethe: Command): void {
  asked(
    lethe.command("explain").description("the plan, its price and its expected error: free, touches no row"),
  )
    .addOption(new Option("--format <format>", "output format").choices(["table", "json"]).default("table"))
    .option("--as <analyst>", "who would ask: an answer that they have already costs nothing", "owner")
    .option("--project <name>", "the project that it would be asked for")
    .action(async (sql: string, options) => (await import("./explain.ts")).explain(sql, options));

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
    .action(async (sql: string, options) => (await import("./query.ts")).query(sql, options));

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
    .action(async (options) => (await import("./sql/sql.ts")).sql(options));
}

/** Adds what both take that price a question. */
function asked(command: Command): Command {
  return command
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
}
