import { expect, it } from "vitest";
import { refuseStrays } from "./audit-flags.ts";

it.each([
  [[]],
  [["quick", "only", "subjects", "policy", "seed", "report", "json"]],
  [["soak", "seed"]],
  [["function", "neighbours", "epsilon", "timeLimit", "seed", "report", "json"]],
  [["question", "neighbour", "policy", "epsilon", "delta", "param", "params", "seed", "report", "json"]],
  [["server", "tokenFile", "otherTokenFile", "epsilon", "json", "report"]],
])("the flags %j go together", (given) => {
  expect(() => refuseStrays(given)).not.toThrow();
});

it.each<[readonly string[], string, string]>([
  [["function", "quick"], "--quick does not go with --function", "give one of the two"],
  [["policy", "function"], "--policy does not go with --function", "give one of the two"],
  [["question", "timeLimit"], "--time-limit does not go with --question", "give one of the two"],
  [["question", "soak"], "--soak does not go with --question", "give one of the two"],
  [["timeLimit"], "--time-limit has no meaning without --function", "give --function too, or leave it out"],
  [["quick", "param"], "--param has no meaning without --question", "give --question too, or leave it out"],
  [
    ["epsilon"],
    "--epsilon has no meaning without --function or --question or --server",
    "give --function or --question or --server too, or leave it out",
  ],
  [["tokenFile"], "--token-file has no meaning without --server", "give --server too, or leave it out"],
  [["server", "policy"], "--policy does not go with --server", "give one of the two"],
  [
    ["quick", "soak"],
    "--soak does not go with --quick",
    "give one of the two: a soak of few seeds is --soak 10",
  ],
])("the flags %j are refused: %s", (given, message, fix) => {
  expect(() => refuseStrays(given)).toThrowError(
    expect.objectContaining({ code: "cli.usage", message, fix }),
  );
});
