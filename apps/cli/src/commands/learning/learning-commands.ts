import { type Command, Option } from "commander";
import { headFileOption, policyOption } from "../options.ts";

/** Adds `lethe train`, `lethe synthesize` and `lethe card`. */
export function addLearningCommands(lethe: Command): void {
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
    .action(async (paths: string[], options) => (await import("./train.ts")).train(paths, options));

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
      (await import("./synthesize.ts")).synthesize(path, options),
    );

  lethe
    .command("card")
    .description(
      "check a file of models, and write their card in Markdown: free, opens no data and no ledger",
    )
    .argument("<models>", "what lethe train --out or lethe synthesize --release wrote")
    .option("--out <file>", "write the card into a new file instead of printing it")
    .addOption(policyOption())
    .action(async (path: string, options) => (await import("./card.ts")).card(path, options));
}
