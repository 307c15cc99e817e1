import type { Argument, Command, Option } from "commander";

const intro = `# Command line

Every command of \`lethe\` with its arguments and options. This page is made from the program; \`lethe COMMAND --help\` prints the same.

## Exit codes and errors

A command ends with exit code 0 when it went well, and otherwise with a code for the kind of its error; [errors](errors.md) explains each error.

| exit code | kind |
| --- | --- |
| 1 | Lethe itself failed |
| 2 | the command line, a number or a file in it |
| 3 | the question, or the description of a model, is not answered as it stands |
| 4 | the policy |
| 5 | the budget does not cover the charge, or the asker may not be charged |
| 6 | the data source |
| 7 | the ledger |
| 8 | a release, a ledger or an audit does not hold |

An error goes to standard error: as text, and under \`--format json\` as JSON (\`lethe schema error\`). \`lethe query --format json\` prints the signed release, which
\`lethe verify\` reads, with the member \`answer\` before it (\`lethe schema answer\`): rows with a field for each column, numbers as numbers, and prices as exact fractions in
texts. \`--format csv\` prints the rows to standard output, and what they cost and what is left to standard error. On a terminal, tables follow its width.

## The same question twice

The same question of the same version of the data is answered once. Asked again, the earlier answer is shown, marked "as of" its moment, and nothing is charged;
\`lethe query --fresh\` pays for a new one, and \`lethe explain\` tells of it before. Comments, spaces and the names of tables and columns do not matter; another price, condition or
confidence does, and so do another policy and another analyst. In JSON \`asOf\` is the moment, and \`charged\` is 0.
[The policy](policy.md#the-same-question-twice) says what a version is.

**Answers that releases make.** After \`GROUP BY region, product\`, the question \`GROUP BY region\` is answered by adding up released counts and sums; several answers to one question, which \`--fresh\` bought, are shown as their mean. Nothing is charged. That
is so for keys that are public, for one principal, data version, policy and price. The answer says what it is made of, and how far it may be off here and in a new answer. It is given unasked only where it is the very statistic that is asked for, and at most twice
as wide as a new one; \`--made\` takes it at any width and never pays, and \`--fresh\` pays. \`--out\` and JSON hold the releases, from which \`lethe verify\` makes the answer again. \`--request q-…-2\` shows one of several answers by itself.
[Why](../decisions/0073-answers-made-of-releases.md).
`;

/** Returns docs/reference/cli.md: one section for each command that does something. */
export function commandPage(lethe: Command): string {
  return [intro, ...everyCommand(lethe).filter(isRunnable).map(section)].join("\n");
}

function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((inner) => [inner, ...everyCommand(inner)]);
}

/** A command that only groups others has neither arguments nor options of its own. */
function isRunnable(command: Command): boolean {
  return command.commands.length === 0 || command.options.length > 0;
}

function section(command: Command): string {
  const help = command.createHelp();
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  return [
    `## ${wordsOf(command)}\n`,
    `${sentence(command.description())}\n`,
    `\`\`\`text\n${help.commandUsage(command).replaceAll("|", " or ")}\n\`\`\`\n`,
    ...(rows.length === 0
      ? []
      : [
          "| word | meaning | default |",
          "| --- | --- | --- |",
          ...rows.map((row) => `| ${row.join(" | ")} |`),
          "",
        ]),
    ...textAfter(command),
  ].join("\n");
}

function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}

function argumentRow(argument: Argument): string[] {
  const { required, description, argChoices } = argument;
  const name = argument.name();
  return [`\`${required ? `<${name}>` : `[${name}]`}\``, `${cell(description)}${oneOf(argChoices)}`, ""];
}

function optionRow({ flags, description, argChoices, defaultValue, mandatory }: Option): string[] {
  const isStated = defaultValue !== undefined && !Array.isArray(defaultValue);
  return [
    `\`${flags}\``,
    `${cell(description)}${oneOf(argChoices)}`,
    mandatory ? "required" : isStated ? `\`${defaultValue}\`` : "",
  ];
}

function oneOf(choices: readonly string[] | undefined): string {
  return choices ? `; one of ${choices.map((choice) => `\`${choice}\``).join(", ")}` : "";
}

/** The examples that a command's help ends with. */
function textAfter(command: Command): string[] {
  let text = "";
  command.configureOutput({ writeOut: (words) => (text += words) });
  command.outputHelp();
  const after = text.slice(command.helpInformation().length).trim();
  return after === "" ? [] : [`\`\`\`text\n${after}\n\`\`\`\n`];
}

function cell(text: string): string {
  return text.replace(/[|*_<]/g, (character) => `\\${character}`);
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
