import { Argument, type Command } from "commander";
import { policyOption } from "./options.ts";
import type { SchemaKind } from "./schema.ts";

/** Adds `lethe policy` and `lethe schema`. */
export function addPolicyCommands(lethe: Command): void {
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
    .action(async (options) => (await import("./policy.ts")).check(options));
  policy
    .command("schema")
    .description("print the policy's JSON Schema, for editors")
    .action(async () => (await import("./schema.ts")).schema("policy"));

  lethe
    .command("schema")
    .description(
      "print the JSON Schema of a kind of file, by which an editor completes and checks it, or of what --format json prints",
    )
    .addArgument(
      new Argument("<file>", "the kind of file").choices(["policy", "model", "synthesis", "answer", "error"]),
    )
    .action(async (kind: SchemaKind) => (await import("./schema.ts")).schema(kind));
}
