import { LetheError } from "@lethe/core";
import { Argument, Command, CommanderError } from "commander";
import { addAccount } from "./account/command-tree.ts";
import { addAuditCommand } from "./commands/audit/audit-command.ts";
import { addBudgetCommands } from "./commands/budget/budget-commands.ts";
import type { Shell } from "./commands/completion/completion.ts";
import { examples } from "./commands/completion/examples.ts";
import { addDataCommands } from "./commands/data-commands.ts";
import { addInitCommand } from "./commands/init/init-command.ts";
import { addLearningCommands } from "./commands/learning/learning-commands.ts";
import { addLedgerCommands } from "./commands/ledger/ledger-commands.ts";
import { addPolicyCommands } from "./commands/policy-commands.ts";
import { addQuestionCommands } from "./commands/question-commands.ts";
import { addServeCommands } from "./commands/serve/serve-commands.ts";

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

  addInitCommand(lethe);
  addDataCommands(lethe);
  addQuestionCommands(lethe);
  addLearningCommands(lethe);
  addBudgetCommands(lethe);
  addLedgerCommands(lethe);
  addServeCommands(lethe);
  addAuditCommand(lethe);
  addAccount(lethe);
  addPolicyCommands(lethe);

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
