import { type Command, Option } from "commander";
import { collect, headFileOption, policyOption } from "../options.ts";

const reason = "the reason; the ledger keeps it for ever";

/** The help text on an edit of the budget in lethe.yaml. */
const applyExample = `
Example: epsilon: 5 became 8 in lethe.yaml, and ada is called adele there.
  lethe budget apply --rename ada=adele --reason "second quarter"
Until then the edited policy is refused (policy.changed), and nothing is charged.`;

const scopesHelp = `
A cap that is lowered holds until the next lethe budget apply. What is closed or revoked stays so until lethe budget reopen, whatever the policy says.
Windows are changed in the policy alone.`;

/** Adds `lethe budget` and its subcommands. */
export function addBudgetCommands(lethe: Command): void {
  const budget = lethe
    .command("budget")
    .description(
      "show the caps of the account and of each scope in it, what is spent and left of them, and every charge",
    )
    .option("--as <analyst>", "show what this analyst may see", "owner")
    .addOption(headFileOption())
    .addOption(new Option("--format <format>", "output format").choices(["table", "json"]).default("table"))
    .addOption(new Option("--json", "the same as --format json").implies({ format: "json" }))
    .addOption(policyOption())
    .action(async (options) => (await import("./budget.ts")).budget(options));
  budget
    .command("apply")
    .description(
      "put the policy's edited budget on record: raise it, lower it to what is spent or more, close it, or change who may ask",
    )
    .option("--rename <old=new>", "an analyst goes on under another name (repeatable)", collect, [])
    .option("--reason <text>", reason)
    .option("--yes", "agree without a prompt, for scripts")
    .addOption(policyOption())
    .addHelpText("after", applyExample)
    .action(async (_options, command: Command) =>
      (await import("./apply-budget.ts")).applyBudget(command.optsWithGlobals()),
    );
  budget
    .command("grant")
    .description(
      "raise the budget on top of the policy's, until the next apply; recorded in the ledger for ever",
    )
    .option("--epsilon <number>", "ε to add")
    .option("--rho <number>", "ρ to add (zcdp accounts)")
    .option("--delta <number>", "δ to add")
    .option("--failures <n>", "number of further failed executions to allow")
    .option("--analyst <name>", "raise this analyst's cap instead of the whole budget")
    .option("--accept-policy", "accept the policy's tables and units as they are now")
    .requiredOption("--reason <text>", "why")
    .addOption(policyOption())
    .action(async (_options, command: Command) =>
      (await import("./budget.ts")).grantBudget(command.optsWithGlobals()),
    );
  ofScope(budget.command("lower"), "whose cap is lowered")
    .description("lower the cap of the account or of a scope over its lifetime, to what is spent or more")
    .option("--epsilon <number>", "the ε that it may spend in all")
    .option("--rho <number>", "the ρ that it may spend in all (zcdp accounts)")
    .option("--delta <number>", "the δ that it may spend in all")
    .action(async (_options, command: Command) =>
      (await import("./change-scope.ts")).lowerScope(command.optsWithGlobals()),
    );
  ofScope(budget.command("close"), "what is closed")
    .description("charge nothing more to the account, a project, a data set or an analyst within a project")
    .action(async (_options, command: Command) =>
      (await import("./change-scope.ts")).shutScope("close", command.optsWithGlobals()),
    );
  budget
    .command("revoke")
    .description("charge nothing more to an analyst; answers that they have stay theirs")
    .argument("<analyst>", "the analyst")
    .requiredOption("--reason <text>", reason)
    .addOption(policyOption())
    .addHelpText("after", scopesHelp)
    .action(async (name: string, _options, command: Command) =>
      (await import("./change-scope.ts")).revokeAnalyst(name, command.optsWithGlobals()),
    );
  ofScope(budget.command("reopen"), "what is opened again")
    .description("take a close or a revoke back")
    .action(async (_options, command: Command) =>
      (await import("./change-scope.ts")).shutScope("reopen", command.optsWithGlobals()),
    );
  budget
    .command("share")
    .description(
      "give an answer to another analyst too: the receiver's caps are charged what it cost, once, and the account no more",
    )
    .argument("<request>", "the id of the request that was answered")
    .requiredOption("--from <analyst>", "whose request it is")
    .requiredOption("--to <analyst>", "who is to have its answer")
    .option("--project <name>", "the project that the receiver works in")
    .option("--out <file>", "also write the release as JSON into a new file, for lethe verify")
    .addOption(policyOption())
    .action(async (id: string, _options, command: Command) =>
      (await import("./share-answer.ts")).shareAnswer(id, command.optsWithGlobals()),
    );
}

/** Adds the options that name a scope, and the reason. */
function ofScope(command: Command, what: string): Command {
  return command
    .option("--account", `${what}: the account`)
    .option("--analyst <name>", `${what}: an analyst; with --project the analyst within it`)
    .option("--project <name>", `${what}: a project`)
    .option("--data-set <name>", `${what}: a data set`)
    .requiredOption("--reason <text>", reason)
    .addOption(policyOption())
    .addHelpText("after", scopesHelp);
}
