import type { PrivacyLossText } from "@lethe/core";
import type { ProcedureRelease, WorkloadRelease } from "@lethe/gateway";
import type { Policy } from "@lethe/query";
import { digitsUp, percentUp } from "../account/odds-in-words.ts";
import { renderLoss } from "../render/loss.ts";
import { renderWindows } from "../render/release.ts";
import { type Block, code, paragraph, plain, points, table } from "./markdown.ts";

type Certificate = (WorkloadRelease | ProcedureRelease)["certificate"];

const measures: Readonly<Record<PrivacyLossText["measure"], string>> = {
  pure: "pure differential privacy",
  approximate: "approximate differential privacy",
  zcdp: "zero-concentrated differential privacy",
};

/** Tells the price, the account after it, and the attacker's odds as the certificate states them. */
export function chargeSection(certificate: Certificate, policy: Policy): readonly Block[] {
  const { charge, losses, account, principal, at, odds } = certificate;
  const others = losses.filter(({ measure }) => measure !== charge.measure);
  const unit = plain(policy.privacyUnit.name);
  return [
    points([
      `**${renderLoss(charge)}** was paid, once, for all that this card tells: charged to ${plain(principal)} on ${at.slice(0, 10)}, before a row was read.`,
      ...(others.length > 0
        ? [
            `The same noise costs ${others.map((loss) => `${renderLoss(loss)} in ${measures[loss.measure]}`).join(", and ")}.`,
          ]
        : []),
      accountWords(account),
      ...(odds
        ? [
            `A test for the presence of one ${unit} that raises 1 false alarm in 100 finds by what this card tells at most **${percentUp(odds.truePositives)}** of those who are in the data, whatever else it knows; true less false alarms are at most ${percentUp(odds.advantage)}${odds.mu === null ? "" : `, and it is no better than a test of Gaussian noise of μ ${digitsUp(odds.mu)}`}.`,
          ]
        : []),
      ...("spent" in account
        ? [
            `All releases of the account so far raise anyone's chance of telling whether one ${unit} is in the data by at most **${percentUp(account.membershipAdvantage)}**, whatever else they know.`,
          ]
        : []),
    ]),
  ];
}

function accountWords(account: Certificate["account"]): string {
  if ("lifetime" in account)
    return `The account grants ${renderWindows(account)}, unbounded over time: what all its releases tell together has no bound.`;
  if (!("spent" in account))
    return `The account was granted ${renderLoss(account.granted)}; what is spent of it is not told to whoever asked.`;
  return `The account was granted ${renderLoss(account.granted)}; ${renderLoss(account.spent)} is spent, this price included, and ${renderLoss(account.left, "down")} is left.`;
}

/** Names the release, and how to check it. */
export function checkSection(certificate: Certificate): readonly Block[] {
  const { requestId, ledger } = certificate;
  const { what, hash, policyHash, follows } =
    "workload" in certificate ? ofSums(certificate) : ofRun(certificate);
  return [
    table(
      ["what", "by which it is known"],
      [
        ["request", code(requestId)],
        [`sha256 of the released ${what}`, code(hash)],
        ["place in the ledger", `${ledger.sequence}, ${code(ledger.hash)}`],
        ["sha256 of the policy", code(policyHash)],
        ["public key of the ledger", code(keyOf(ledger.publicKey))],
      ],
    ),
    paragraph(
      `The release is signed. \`lethe verify\` derives by code of its own what was asked, at which sensitivity, with which noise and at which price, and ${follows}. Take the key from its owner, and not from the release.`,
    ),
    paragraph("```sh\nlethe verify RELEASE --policy POLICY --public-key KEY\n```"),
    paragraph(
      "No certificate can show that the noise was drawn as stated and only once, and that the rows are those of the data that the policy names: these rest on the owner.",
    ),
  ];
}

/** The hashes in a certificate, and the check that joins the model to it. */
interface Named {
  readonly what: string;
  readonly hash: string;
  readonly policyHash: string;
  readonly follows: string;
}

function ofSums({ answersHash, workload }: WorkloadRelease["certificate"]): Named {
  return {
    ...{ what: "answers", hash: answersHash, policyHash: workload.plans[0]?.policyHash ?? "" },
    follows: "that all here follows from the released sums",
  };
}

function ofRun({ resultHash, procedure }: ProcedureRelease["certificate"]): Named {
  return {
    ...{ what: "result", hash: resultHash, policyHash: procedure.policyHash },
    follows: "that the result is the one that was signed, and is of its plan",
  };
}

/** The body of a key in PEM. */
function keyOf(pem: string): string {
  return pem.replace(/-----[A-Z ]+-----/g, "").replace(/\s+/g, "");
}
