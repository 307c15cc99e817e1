import { type Command, Option } from "commander";
import { policyOption } from "../options.ts";

/** Adds `lethe verify` and `lethe ledger`. */
export function addLedgerCommands(lethe: Command): void {
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
    .action(async (path: string, options) => (await import("./verify.ts")).verify(path, options));

  const ledger = lethe
    .command("ledger")
    .description("check the ledger, upgrade one of an earlier format, or move it to PostgreSQL");
  ledger
    .command("tables")
    .description("print the SQL that makes a ledger's tables in PostgreSQL, for their owner to run")
    .option("--schema <name>", "the schema, which is made", "lethe")
    .option("--role <name>", "the role that gateways connect as, which must exist", "lethe_gateway")
    .action(async (options) => (await import("./ledger.ts")).printTables(options));
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
    .action(async (place: string, options) => (await import("./ledger.ts")).moveChain(place, options));
  ledger
    .command("upgrade")
    .description(
      "go on with a ledger of the first format: it is verified before and after, and its file is kept",
    )
    .option("--head-file <file>", "a file on another disk that keeps the head: it is compared, then written")
    .addOption(policyOption())
    .action(async (options) => (await import("./ledger.ts")).upgradeChain(options));
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
    .action(async (options) => (await import("./ledger.ts")).verifyChain(options));
}
