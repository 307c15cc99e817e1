// quality.<data>.<question>: the mean absolute error of the released aggregates over all groups, as a share of the exact ones';
//   peer: SmartNoise SQL's on the same rows and question, at the same total ε (1) and δ (1e-6), groups being public. Ratio: ours
//   over theirs.
// Data: the 534 people of the CPS ("cps"); with --pums FILE also the PUMS sample of SmartNoise's own examples (age, sex, educ, race,
//   income, married), which is not part of the repository.
// --runs N: answers to each question, 200 unless stated.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRational } from "@lethe/core";
import { openDuckDb } from "@lethe/engine-duckdb";
import { readPolicy } from "@lethe/query";
import { figure } from "./figure.mjs";
import { startPeer } from "./peers/peer.mjs";
import { releasesOf } from "./releases.mjs";
import { makeCpsWorkspace, makeWorkspace } from "./workspace.mjs";

const epsilon = "1";
const delta = "1e-6";

/** The subjects: the columns as both sides know them, and the questions that both are asked: key (null: none), aggregates. */
const subjects = {
  cps: {
    columns: {
      wage: { type: "float", lower: 0, upper: 60 },
      education: { type: "int", lower: 0, upper: 20 },
      sector: { type: "string" },
      gender: { type: "string" },
    },
    questions: {
      count: [null, "COUNT(*)"],
      sum: [null, "SUM(wage)"],
      avg: [null, "AVG(wage)"],
      variance: [null, "VARIANCE(wage)"],
      "count-by-sector": ["sector", "COUNT(*)"],
      "avg-by-sector": ["sector", "AVG(wage)"],
      "avg-and-count-by-gender": ["gender", "AVG(wage)", "COUNT(*)"],
    },
  },
  pums: {
    columns: {
      age: { type: "int", lower: 0, upper: 100 },
      income: { type: "int", lower: 0, upper: 500000 },
      educ: { type: "int" },
      sex: { type: "int" },
    },
    words: [
      ...["--bounds", "age=int:0..100", "--bounds", "income=int:0..500000"],
      ...["--categories", `educ=${Array.from({ length: 16 }, (_, i) => i + 1)}`, "--categories", "sex=0,1"],
      ...["--measure", "approximate", "--epsilon", "5", "--delta", "1e-6"],
    ],
    questions: {
      count: [null, "COUNT(*)"],
      sum: [null, "SUM(income)"],
      avg: [null, "AVG(income)"],
      variance: [null, "VARIANCE(age)"],
      "count-by-educ": ["educ", "COUNT(*)"],
      "avg-by-educ": ["educ", "AVG(income)"],
      "avg-and-count-by-sex": ["sex", "AVG(income)", "COUNT(*)"],
    },
  },
};

export default async function bench(options) {
  const of = (flag) => (options.includes(flag) ? options[options.indexOf(flag) + 1] : undefined);
  const runs = Number(of("--runs") ?? 200);
  if (!(runs >= 10)) throw new Error("--runs must be at least 10");
  const pums = of("--pums");
  const peer = startPeer("smartnoise", ".venv-smartnoise");
  try {
    await compare("cps", makeCpsWorkspace(), runs, peer);
    if (pums)
      await compare("pums", makeWorkspace(readFileSync(pums, "utf8"), subjects.pums.words), runs, peer);
  } finally {
    peer?.stop();
  }
}

async function compare(name, { folder, remove }, runs, peer) {
  const { columns, questions } = subjects[name];
  const policy = readPolicy(readFileSync(join(folder, "lethe.yaml"), "utf8"));
  const stateDirectory = join(folder, ".lethe");
  const engine = await openDuckDb({
    policy,
    baseDirectory: folder,
    stateDirectory,
    seed: name,
    log: console.error,
  });
  try {
    for (const [label, [key, ...aggregates]] of Object.entries(questions)) {
      const select = (table) =>
        `SELECT ${[...(key ? [key] : []), ...aggregates].join(", ")} FROM ${table}${key ? ` GROUP BY ${key}` : ""}`;
      const asked = { epsilon: parseRational(epsilon), delta: parseRational(delta), confidence: 0.95 };
      const { exact, release } = await releasesOf(select("people"), asked, policy, engine);
      const rows = (answers) =>
        new Map(
          answers.map(({ key: [group], estimates }) => [String(group), estimates.map(({ value }) => value)]),
        );
      const truths = rows(exact());
      const ours = Array.from({ length: runs }, () => errorOf(rows(release()), truths));
      const theirs = await peer?.ask("answers", {
        ...{ csv: join(folder, "people.csv"), columns, question: select("main.people"), runs },
        ...{ epsilon: Number(epsilon), delta: Number(delta) },
      });
      const groupsOf = (answer) =>
        new Map(answer.map((row) => (key ? [String(row[0]), row.slice(1)] : ["undefined", row])));
      const others = theirs?.value.map((answer) => errorOf(groupsOf(answer), truths));
      figure(`quality.${name}.${label}`, mean(ours), "share", others ? mean(others) : null);
    }
  } finally {
    await engine.close();
    remove();
  }
}

/** Mean over groups and aggregates of |answer − truth|/|truth|. A group that is missing in an answer counts as a 0. */
function errorOf(answer, truths) {
  const errors = [...truths].flatMap(([group, values]) =>
    values.map((truth, at) => Math.abs((answer.get(group)?.[at] ?? 0) - truth) / Math.abs(truth)),
  );
  return mean(errors.filter(Number.isFinite));
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
