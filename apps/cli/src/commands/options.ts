import { Option } from "commander";

/** The policy that a command is about. */
export const policyOption = (): Option => new Option("--policy <file>", "the policy").default("lethe.yaml");

/** The file that keeps the head of the ledger that is charged. */
export const headFileOption = (): Option =>
  new Option(
    "--head-file <file>",
    "keeps the ledger's head on another disk, so that an older ledger that is put back is refused (default: the policy's head_file)",
  );

/** Collects the values of an option that may be repeated. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** Collects values as {@link collect} does; returns undefined where the option is left out. */
export function collectSome(value: string, previous: string[] | undefined): string[] {
  return collect(value, previous ?? []);
}
