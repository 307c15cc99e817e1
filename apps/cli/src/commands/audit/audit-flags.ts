import { LetheError } from "@lethe/core";

const everywhere: readonly string[] = ["seed", "report", "json"];

/** A mode of lethe audit: the flag that chooses it, and the flags that mean something there. */
interface Mode {
  readonly said: string | null;
  readonly flags: readonly string[];
}

const modes: readonly Mode[] = [
  { said: "function", flags: ["function", "neighbours", "epsilon", "timeLimit"] },
  {
    said: "question",
    flags: ["question", "neighbour", "policy", "epsilon", "delta", "param", "params"],
  },
  { said: "server", flags: ["server", "tokenFile", "otherTokenFile", "postgres", "epsilon"] },
];

/** The mode that no flag chooses: the audit of Lethe itself. */
const itself: Mode = { said: null, flags: ["quick", "soak", "only", "subjects", "policy"] };

/** Refuses a flag that would be passed over in silence. Errors: cli.usage. */
export function refuseStrays(given: readonly string[]): void {
  const { said, flags } = modes.find((mode) => mode.said !== null && given.includes(mode.said)) ?? itself;
  const stray = given.find((flag) => ![...everywhere, ...flags].includes(flag));
  if (stray !== undefined) {
    if (said !== null) throw usage(`${flag(stray)} does not go with ${flag(said)}`, "give one of the two");
    const homes = modes.flatMap((mode) =>
      mode.said !== null && mode.flags.includes(stray) ? [flag(mode.said)] : [],
    );
    const home = homes.join(" or ");
    throw usage(`${flag(stray)} has no meaning without ${home}`, `give ${home} too, or leave it out`);
  }
  if (given.includes("quick") && given.includes("soak"))
    throw usage("--soak does not go with --quick", "give one of the two: a soak of few seeds is --soak 10");
}

function usage(message: string, fix: string): LetheError {
  return new LetheError("cli.usage", message, { fix });
}

/** @example flag("timeLimit") // => "--time-limit" */
function flag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}
