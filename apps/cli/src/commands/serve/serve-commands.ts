import { type Command, Option } from "commander";
import { collect } from "../options.ts";

/** The configuration that is read where none is named. */
const usual = "lethe-serve.yaml";

/** Adds `lethe serve`, `lethe mcp`, `lethe people` and `lethe audit-log`. */
export function addServeCommands(lethe: Command): void {
  const config = (): Option =>
    new Option(
      "--config <file>",
      "the service's configuration; without the file all is at its default",
    ).default(usual);
  const days = (): Option => new Option("--days <n>", "for how many days the token is good").default("90");
  const cap = (): Option =>
    new Option("--max-epsilon <number>", "the most ε that one question asked with the token may cost");
  const role = (): Option =>
    new Option("--role <role>", "owner, analyst, auditor or operator (repeatable)")
      .argParser(collect)
      .default([], "analyst");
  lethe
    .command("serve")
    .description(
      "answer people and programs over HTTP and PostgreSQL's protocol, who can do no more than ask",
    )
    .addOption(config())
    .option("--policy <file>", "the policy, instead of the one that the configuration names")
    .option("--port <n>", "the port, instead of the configuration's; 0 for a free one")
    .option(
      "--postgres-port <n>",
      "the port for PostgreSQL's protocol, instead of the configuration's; 0 for a free one",
    )
    .option("--head-file <file>", "a file on another disk that keeps the ledger's head")
    .action(async (options, command: Command) =>
      (await import("./serve.ts")).serve({ ...options, named: isNamed(command) }),
    );
  lethe
    .command("mcp")
    .description(
      "speak the model context protocol on standard input and output, for an agent: on a policy under a name, or for a running service by a token",
    )
    .option("--as <analyst>", "who is charged for what the agent asks of the policy")
    .option("--max-epsilon <number>", "the most ε that one question may cost")
    .option("--server <url>", "hand everything to this running service instead")
    .option("--token-file <file>", "the file that holds the token by which the service knows who asks")
    .option("--policy <file>", "the policy", "lethe.yaml")
    .option("--head-file <file>", "a file on another disk that keeps the ledger's head")
    .action(async (options) => (await import("./mcp.ts")).mcp(options));
  const people = lethe
    .command("people")
    .description("list who is let in to the service, and change it, for whoever owns its files")
    .addOption(config())
    .action(async (_options, command: Command) => (await import("./people.ts")).listPeople(flagsOf(command)));
  people
    .command("add")
    .description("let a person in, and print a token, which is shown once")
    .argument("<name>", "the principal that the ledger charges")
    .addOption(role())
    .option(
      "--project <name>",
      "a project that the person works on, as a note: who may ask under its caps stands in the policy (repeatable)",
      collect,
      [],
    )
    .addOption(cap())
    .addOption(days())
    .action(async (name: string, _options, command: Command) =>
      (await import("./people.ts")).addOne(name, withRole(command)),
    );
  people
    .command("token")
    .description("make a further token of a person, which is shown once")
    .argument("<name>", "the person")
    .addOption(role())
    .addOption(cap())
    .addOption(days())
    .action(async (name: string, _options, command: Command) =>
      (await import("./people.ts")).giveToken(name, withRole(command)),
    );
  people
    .command("password")
    .description("set a person's password, which ends their sessions")
    .argument("<name>", "the person")
    .action(async (name: string, _options, command: Command) =>
      (await import("./people.ts")).givePassword(name, flagsOf(command)),
    );
  people
    .command("disable")
    .description("shut a person out, at once; their name stays theirs")
    .argument("<name>", "the person")
    .action(async (name: string, _options, command: Command) =>
      (await import("./people.ts")).setDisabled(name, true, flagsOf(command)),
    );
  people
    .command("enable")
    .description("let a person in again who was shut out; their password and tokens hold again")
    .argument("<name>", "the person")
    .action(async (name: string, _options, command: Command) =>
      (await import("./people.ts")).setDisabled(name, false, flagsOf(command)),
    );
  lethe
    .command("audit-log")
    .description("check the service's log of who did what, for whoever owns its files")
    .command("verify")
    .description("check the whole hash chain: no entry was changed, removed, put in or moved")
    .addOption(config())
    .option(
      "--head <sequence:hash>",
      "a head that was kept elsewhere; it shows that nothing is gone from the end",
    )
    .action(async (_options, command: Command) =>
      (await import("./audit-log.ts")).verifyLog(flagsOf(command)),
    );
}

function flagsOf<T extends object>(
  command: Command,
): T & { readonly config: string; readonly named: boolean } {
  return { ...command.optsWithGlobals<T & { readonly config: string }>(), named: isNamed(command) };
}

interface RoleFlags {
  readonly role: readonly string[];
  readonly project: readonly string[];
  readonly maxEpsilon?: string;
  readonly days: string;
}

function withRole(command: Command): RoleFlags & { readonly config: string; readonly named: boolean } {
  const flags = flagsOf<RoleFlags>(command);
  return { ...flags, role: flags.role.length === 0 ? ["analyst"] : flags.role };
}

/** Whether somebody named the configuration. */
function isNamed(command: Command): boolean {
  for (let each: Command | null = command; each; each = each.parent)
    if (each.getOptionValueSource("config") === "cli") return true;
  return false;
}
