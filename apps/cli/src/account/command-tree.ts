import { type Command, Option } from "commander";

/** lethe account and what is below it. Each action loads what it needs. */
export function addAccount(lethe: Command): void {
  const account = lethe
    .command("account")
    .description(
      "account what mechanisms cost together: ε at a δ, δ at an ε, or the noise for a target; touches no data",
    );

  asked(account.command("event", { isDefault: true }))
    .description("an event tree: Lethe's own JSON, or what dp_accounting's to_named_tuple writes")
    .argument("<file>", 'the tree; "-" reads it from standard input')
    .action(async (path: string, flags) => (await commands()).accountEvent(path, flags));

  asked(account.command("dpsgd"))
    .description("DP-SGD: Gaussian noise on Poisson samples, step by step")
    .option("--n <count>", "units in the data")
    .option("--batch <size>", "expected number of units in a sample")
    .option("--rate <q>", "chance that a unit is in a sample, instead of --n and --batch")
    .option("--sigma <number>", "noise over the clipping norm")
    .option("--batch-limit <size>", "a larger sample is cut at random to this many units")
    .option(
      "--max-n <count>",
      "with --batch-limit: the greatest possible number of units, which is public; --n unless stated",
    )
    .option("--epochs <number>", "passes over the data; the whole steps in them are counted")
    .option("--steps <count>", "steps, instead of --epochs")
    .addOption(
      new Option(
        "--find <what>",
        "what is computed: ε, or the noise or the steps that keep to --epsilon and --delta",
      )
        .choices(["epsilon", "sigma", "steps"])
        .default("epsilon"),
    )
    .action(async (flags) => (await commands()).accountDpSgd(flags));

  asked(repeated(account.command("gaussian")))
    .description("Gaussian noise; without --sigma, the least noise that keeps to --epsilon and --delta")
    .option("--sigma <number>", "standard deviation")
    .action(async (flags) => (await commands()).accountGaussian(flags));

  asked(repeated(account.command("laplace")))
    .description("Laplace noise; without --scale, the least noise that keeps to --epsilon and --delta")
    .option("--scale <number>", "scale")
    .action(async (flags) => (await commands()).accountLaplace(flags));

  asked(account.command("shuffle"), "replace-one")
    .description("reports of a local randomizer, shuffled")
    .requiredOption("--reports <count>", "number of reports, one for each unit")
    .requiredOption("--local <epsilon>", "ε of the local randomizer")
    .action(async (flags) => (await commands()).accountShuffle(flags));

  asked(account.command("allocation"))
    .description("Gaussian noise in every step, each unit in some steps drawn at random (balls in bins)")
    .requiredOption("--steps <count>", "steps")
    .option("--selected <count>", "number of steps in which a unit takes part", "1")
    .requiredOption("--sigma <number>", "standard deviation of a step's noise")
    .option("--sensitivity <number>", "ℓ2 sensitivity of a step", "1")
    .action(async (flags) => (await commands()).accountAllocation(flags));
}

const commands = (): Promise<typeof import("../commands/account.ts")> => import("../commands/account.ts");

function repeated(command: Command): Command {
  return command
    .option("--sensitivity <number>", "ℓ2 sensitivity for Gaussian noise, ℓ1 for Laplace noise", "1")
    .option("--count <n>", "number of runs", "1")
    .option(
      "--advantage <number>",
      "find the noise at which no test gains more than this, instead of --epsilon and --delta",
    );
}

function asked(command: Command, adjacency = "add-or-remove-one"): Command {
  return command
    .option("--delta <number>", "answer ε at this δ")
    .option("--epsilon <number>", "answer δ at this ε; or the target of what is to be found")
    .addOption(
      new Option("--adjacency <kind>", "how two neighbouring data sets differ")
        .choices(["add-or-remove-one", "replace-one"])
        .default(adjacency),
    )
    .option("--group <k>", "account for a group of k units instead of one")
    .option("--accuracy <width>", "intended width of the interval for ε")
    .option("--json", "print the report as JSON")
    .option("--plot <file.svg>", "draw ε against δ, the trade-off curve, and the growth of ε")
    .option("--data <file.json>", "write what --plot draws, as data");
}
