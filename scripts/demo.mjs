// npm run demo: the main job on real data — the May 1985 Current Population Survey, 534 people's wages (Berndt 1991).
// Every command below is the real one; the folder demo/ (or the one that is named) is made anew each time and is yours to play
// with afterwards.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { people, toInit, writePeople } from "./demo/people.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = process.argv[2] ?? join(root, "demo");
const bin = join(root, "apps", "cli", "dist", "bin.mjs");

function say(text) {
  console.log(`\n\u001b[1m${text}\u001b[0m`);
}

/** Runs one command as a user would, in demo/. Stops the demo when it fails, unless failing is the point. */
function lethe(words, { refused = false } = {}) {
  const shown = words.map((word) => (/^[\w./=,:@-]+$/.test(word) ? word : `"${word}"`)).join(" ");
  console.log(`\n\u001b[36m$ lethe ${shown}\u001b[0m`);
  const { status } = spawnSync(process.execPath, [bin, ...words], { cwd: folder, stdio: "inherit" });
  if ((status === 0) === refused) {
    console.error(`demo: expected the command to ${refused ? "be refused" : "succeed"}`);
    process.exit(1);
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
writePeople(folder);

say("1. The owner declares who is protected and what is public, in words; no value is looked at.");
lethe(toInit);

say("2. The owner freezes the CSV into a typed, clamped snapshot.");
lethe(["import", "people.csv"]);

say("3. Anyone may ask what a question would cost, and how good the answer would be. This touches no row.");
const bySector = "SELECT sector, COUNT(*) AS people, AVG(wage) AS wage FROM people GROUP BY sector";
lethe(["explain", bySector, "--epsilon", "1"]);

say("4. Paying for it gives values, intervals, the price, what is left.");
lethe(["query", bySector, "--epsilon", "1", "--out", "release.json"]);

say("5. Expressions, CASE and filters are plain SQL; the sensitivity is derived, never typed in.");
lethe([
  "query",
  "SELECT CASE WHEN education >= 16 THEN 'degree' ELSE 'no degree' END AS schooling, AVG(wage), STDDEV(wage) FROM people GROUP BY 1 ORDER BY 2 DESC",
  "--epsilon",
  "1",
]);

say("6. Group keys that nobody declared are data too: each must pass a private selection.");
lethe([
  "query",
  "SELECT occupation, COUNT(*) AS people FROM people GROUP BY occupation",
  "--epsilon",
  "1",
  "--delta",
  "1e-7",
]);

say("7. What cannot be answered privately is refused, with what would be accepted.");
lethe(["query", "SELECT wage FROM people WHERE sector = 'other'", "--epsilon", "0.1"], { refused: true });

say("8. The budget is a durable, hash-chained ledger.");
lethe(["budget"]);
lethe(["ledger", "verify"]);

say("9. Anyone can check a release against the policy and the public key.");
lethe(["verify", "release.json", "--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"]);

say("This data is public, so here is what the exact answers would have been:");
for (const sector of ["manufacturing", "construction", "other"]) {
  const wages = people.filter((person) => person.sector === sector).map((person) => person.wage);
  const mean = wages.reduce((sum, wage) => sum + wage, 0) / wages.length;
  console.log(
    `  ${sector.padEnd(14)} ${String(wages.length).padStart(4)} people, average wage ${mean.toFixed(2)}`,
  );
}
