import type { Command } from "commander";
import { say } from "../../render/say.ts";

export type Shell = "bash" | "zsh" | "fish";

/** What can be completed behind the words of one command. */
interface Completed {
  /** The command's words behind `lethe`, such as "budget apply". */
  readonly path: string;
  readonly words: readonly string[];
}

/** Runs lethe completion: prints a script by which a shell completes commands and options. */
export function completion(shell: Shell, lethe: Command): void {
  const all = completed(lethe, "");
  say({ bash, zsh, fish }[shell](all));
}

function completed(command: Command, path: string): readonly Completed[] {
  const words = [
    ...command.commands.map((inner) => inner.name()),
    ...command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []),
    "--help",
  ];
  return [
    { path, words },
    ...command.commands.flatMap((inner) => completed(inner, `${path} ${inner.name()}`.trim())),
  ];
}

/** The words of the line that are commands pick the list; a word that is no option stands for a file. */
function bash(all: readonly Completed[]): string {
  return `# lethe completion bash: put this line into ~/.bashrc:  source <(lethe completion bash)
_lethe() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${paths(all)} " in *" \${path:+\${path}/}\${word} "*) path="\${path:+\${path}/}\${word}" ;; esac
  done
  case "$path" in
${all.map(({ path, words }) => `    ${JSON.stringify(path.replaceAll(" ", "/"))}) words="${words.join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _lethe lethe`;
}

function zsh(all: readonly Completed[]): string {
  return `#compdef lethe
# lethe completion zsh: write this into a folder of $fpath as _lethe, or put  source <(lethe completion zsh)  into ~/.zshrc
_lethe() {
  local path="" word
  local -a words_known
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case " ${paths(all)} " in *" \${path:+\${path}/}\${word} "*) path="\${path:+\${path}/}\${word}" ;; esac
  done
  case "$path" in
${all.map(({ path, words }) => `    ${JSON.stringify(path.replaceAll(" ", "/"))}) words_known=(${words.join(" ")}) ;;`).join("\n")}
  esac
  compadd -- "\${words_known[@]}"
  _files
}
compdef _lethe lethe`;
}

function fish(all: readonly Completed[]): string {
  const lines = all.flatMap(({ path, words }) => {
    const seen =
      path === ""
        ? "__fish_use_subcommand"
        : path
            .split(" ")
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join("; and ");
    return words.map((word) =>
      word.startsWith("--")
        ? `complete -c lethe -n "${seen}" -l ${word.slice(2)}`
        : `complete -c lethe -n "${seen}" -a ${word}`,
    );
  });
  return [
    "# lethe completion fish: lethe completion fish > ~/.config/fish/completions/lethe.fish",
    ...lines,
  ].join("\n");
}

/** The commands' words, joined so that one word of a shell names each. */
function paths(all: readonly Completed[]): string {
  return all.flatMap(({ path }) => (path === "" ? [] : [path.replaceAll(" ", "/")])).join(" ");
}
