import { LetheError } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { type Check, parseJson, verifyRelease } from "@lethe/verify";
import { renderGrid } from "../render/grid.ts";
import { renderJson } from "../render/json.ts";
import { say } from "../render/say.ts";
import type { Trained } from "../train/train.ts";
import { holdsModels, readTrained } from "../train/trained-file.ts";
import { readText } from "../workspace.ts";

interface VerifyFlags {
  readonly policy?: string;
  readonly publicKey?: string;
  readonly targetRelease?: string;
  readonly format: "table" | "json";
}

/** lethe verify: every check with what it says, and what no certificate can show. Fails when a check fails. */
export async function verify(path: string, flags: VerifyFlags): Promise<void> {
  const text = readText(path, "the release");
  const trained = holdsModels(text) ? readTrained(text) : null;
  const options = {
    ...(flags.policy === undefined ? {} : { policyText: readText(flags.policy, "the policy") }),
    ...(flags.targetRelease === undefined
      ? {}
      : { targetReleaseJson: readText(flags.targetRelease, "the release that the target is a share of") }),
    ...(flags.publicKey === undefined ? {} : { publicKeyPem: readPublicKey(flags.publicKey) }),
  };
  const ofRelease = await verifyRelease(releaseIn(text, trained), options);
  const verification =
    trained === null
      ? ofRelease
      : { ...ofRelease, checks: [...ofRelease.checks, await modelsFollow(trained)] };
  if (flags.format === "json") {
    say(renderJson(verification));
  } else {
    const marks = { passed: "ok", failed: "FAILED", "not-made": "not made" } as const;
    const rows = verification.checks.map(({ name, outcome, says }) => [marks[outcome], name, says]);
    say(renderGrid(["", "check", "what it says"], rows, [false, false, false]));
    say(`\nWhat this cannot show:\n${verification.cannotShow.map((line) => `  - ${line}`).join("\n")}`);
  }
  const failed = verification.checks.filter(({ outcome }) => outcome === "failed");
  if (failed.length > 0) {
    throw new LetheError(
      "release.invalid",
      `${failed.length} of ${verification.checks.length} checks failed`,
      {
        fix: "do not rely on this release; ask its owner for the original",
      },
    );
  }
}

/** The release that is checked: that of the models, of the model of a procedure, or what the file holds. */
function releaseIn(text: string, trained: Trained | null): string {
  if (trained !== null) return JSON.stringify(trained.release);
  const held = parseJson(text);
  if (typeof held !== "object" || held === null) return text;
  const isModel = Object.keys(held).sort().join() === "kind,release,version" && "release" in held;
  return isModel ? JSON.stringify(held.release) : text;
}

/** Checks that the models are those that their descriptions and the released sums give. What is in the file is a stranger's. */
async function modelsFollow({ descriptions, models, release }: Trained): Promise<Check> {
  const { trainingOf } = await import("@lethe/learn");
  const { fitTo } = await import("../train/train.ts");
  const again = (): unknown => fitTo(trainingOf(descriptions), release).models;
  return sameText(again, models)
    ? { name: "models", outcome: "passed", says: "the models are those that follow from the released sums" }
    : { name: "models", outcome: "failed", says: "the models do not follow from the released sums" };
}

function sameText(derive: () => unknown, stated: unknown): boolean {
  try {
    return canonicalJson(JSON.parse(JSON.stringify(derive()))) === canonicalJson(stated);
  } catch {
    return false;
  }
}

/** A file that is no public key says nothing about the release: it is a mistake of the command line. */
function readPublicKey(path: string): string {
  const pem = readText(path, "the public key");
  if (pem.includes("-----BEGIN PUBLIC KEY-----")) return pem;
  throw new LetheError("cli.usage", `${path} is not a public key in PEM form`, {
    fix: "give the ledger.pub of the ledger that signed the release",
  });
}
