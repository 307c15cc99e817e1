import type { Argument, Command, Option } from "commander";

const intro = `# Command line

Every command of \`lethe\` with its arguments and options. This page is made from the program; \`lethe COMMAND --help\` prints the same.
A command ends with exit code 0 when it went well, with 1 when something was refused or did not hold; [errors](errors.md) explains each code of an error.
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
