import { readPolicy } from "@lethe/query";
import { type Check, check, notMade } from "./checks/check.ts";
import { eventFollows, measurementsExist, sensitivitiesHold } from "./checks/noise.ts";
import { questionPlansTheSame } from "./checks/replan.ts";
import {
  errorsFollow,
  madeNotesFollow,
  releasesAreNamed,
  releasesMakeIt,
  rowsAreMade,
} from "./made/made-checks.ts";
import { readMade } from "./made/made-shape.ts";
import { type Verification, type VerifyOptions, verifyRelease } from "./verify-release.ts";
import { joined } from "./workload/workload-checks.ts";

/**
 * Checks an answer that is made of releases: every release as {@link verifyRelease} does, and that the answer follows from them and from nothing else.
 * Errors: release.invalid where the text is no such answer; policy.unreadable, policy.invalid.
 */
export async function verifyMade(madeJson: string, options: VerifyOptions = {}): Promise<Verification> {
  const read = readMade(madeJson);
  const { plan, releases: texts } = read.made;
  const policy = options.policyText === undefined ? null : readPolicy(options.policyText);
  const each = await Promise.all(texts.map((release) => verifyRelease(JSON.stringify(release), options)));
  const [first] = each;
  const ofReleases = (first?.checks ?? []).map(({ name }) =>
    joined(each.flatMap(({ checks }) => checks.filter((one) => one.name === name))),
  );
  const own: readonly Check[] = await Promise.all([
    check("releases", () => releasesAreNamed(read)),
    check("makes", () => releasesMakeIt(read)),
    check("made-rows", () => rowsAreMade(read)),
    check("errors", () => errorsFollow(read)),
    check("made-notes", () => madeNotesFollow(read)),
    ...[measurementsExist, sensitivitiesHold, eventFollows].map((judge) => check("asked", () => judge(plan))),
    check("asked", () =>
      policy
        ? questionPlansTheSame(plan, policy)
        : notMade("no policy was given, so the question was not planned again"),
    ),
  ]);
  const asked = own.filter(({ name }) => name === "asked");
  return {
    checks: [...ofReleases, ...own.filter(({ name }) => name !== "asked"), joined(asked)],
    cannotShow: [...(first?.cannotShow ?? []), ofVersion],
  };
}

const ofVersion =
  "that the releases are of one version of the data, and are all that were bought: their ids are made of what was asked, of whom and of which version, which the ledger's owner can show";
