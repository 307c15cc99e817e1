import { LetheError } from "@lethe/core";
import { renderJson } from "@lethe/serve/formats";
import { renderGrid } from "../../render/grid.ts";
import { terminalWidth } from "../../render/layout/terminal-width.ts";
import { wrapPage } from "../../render/layout/wrap.ts";
import { say } from "../../render/say.ts";
import { verifyFile } from "../../verify-file.ts";
import { readText } from "../../workspace.ts";

interface VerifyFlags {
  readonly policy?: string;
  readonly publicKey?: string;
  readonly targetRelease?: string;
  readonly format: "table" | "json";
}

/** lethe verify: every check with what it says, and what no certificate can show. Fails when a check fails. */
export async function verify(path: string, flags: VerifyFlags): Promise<void> {
  const text = readText(path, "the release");
  const options = {
    ...(flags.policy === undefined ? {} : { policyText: readText(flags.policy, "the policy") }),
    ...(flags.targetRelease === undefined
      ? {}
      : { targetReleaseJson: readText(flags.targetRelease, "the release that the target is a share of") }),
    ...(flags.publicKey === undefined ? {} : { publicKeyPem: readPublicKey(flags.publicKey) }),
  };
  const verification = await verifyFile(text, options);
  if (flags.format === "json") {
    say(renderJson(verification));
  } else {
    const marks = { passed: "ok", failed: "FAILED", "not-made": "not made" } as const;
    const rows = verification.checks.map(({ name, outcome, says }) => [marks[outcome], name, says]);
    say(renderGrid(["", "check", "what it says"], rows, [false, false, false]));
    const limits = verification.cannotShow.map((line) => `  - ${line}`);
    say(wrapPage(["", "What this cannot show:", ...limits].join("\n"), terminalWidth()));
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

/** A file that is no public key says nothing about the release: it is a mistake of the command line. */
function readPublicKey(path: string): string {
  const pem = readText(path, "the public key");
  if (pem.includes("-----BEGIN PUBLIC KEY-----")) return pem;
  throw new LetheError("cli.usage", `${path} is not a public key in PEM form`, {
    fix: "give the ledger.pub of the ledger that signed the release",
  });
}
