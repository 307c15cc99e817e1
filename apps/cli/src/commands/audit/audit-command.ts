import type { Command } from "commander";
import { collect, policyOption } from "../options.ts";

/** Adds `lethe audit`. */
export function addAuditCommand(lethe: Command): void {
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
      await (await import("./audit.ts")).audit({ ...options, given });
    });
}
