// node examples/ask-and-check.mjs: a question from a program, and a stranger's check of its answer.
// It works in a folder of its own, which it removes at the end.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { open, verifyRelease } from "lethe";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "lethe-example-"));
const node = (...words) => execFileSync(process.execPath, words, { cwd: folder });
const lethe = (...words) => node(join(here, "../apps/cli/bin/lethe.mjs"), ...words);

try {
  // Once, by the owner: the files, the policy with its ledger, the snapshot.
  node(join(here, "clinic/make-clinic.mjs"));
  const isPublic = [
    "--bounds",
    "cost=0..3000",
    "--categories",
    "department=surgery,medicine,paediatrics,emergency",
  ];
  lethe("init", "visits.csv", "--unit", "patient", "--max-groups", "2", "--max-rows", "3", ...isPublic);
  lethe("import", "visits.csv");

  // By an analyst: what it would cost, then the answer.
  const house = await open(join(folder, "lethe.yaml"));
  const question = "SELECT department, COUNT(*) AS visits FROM visits GROUP BY department";
  const { price } = await house.explain(question, { epsilon: "1/2" });
  const release = await house.query(question, { epsilon: "1/2" });
  await house.close();
  console.log("price", price.epsilon);
  for (const [department, visits] of release.rows) console.log(department, visits);

  // By a stranger: release, policy and public key are enough.
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText: readFileSync(join(folder, "lethe.yaml"), "utf8"),
    publicKeyPem: readFileSync(join(folder, ".lethe/ledger/ledger.pub"), "utf8"),
  });
  const failed = checks.filter(({ outcome }) => outcome !== "passed");
  console.log(`${checks.length} checks, ${failed.length} of them failed or not made`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
