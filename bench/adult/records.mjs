import { readFileSync } from "node:fs";
import { SeededSource } from "@lethe/core/tape";

/** The columns of Adult whose numbers are in order; those of the others are names. */
export const ordered = {
  age: 85,
  fnlwgt: 100,
  "education-num": 16,
  "capital-gain": 100,
  "capital-loss": 100,
  "hours-per-week": 99,
};
export const named = {
  workclass: 9,
  "marital-status": 7,
  occupation: 15,
  relationship: 6,
  race: 5,
  sex: 2,
  "native-country": 42,
};
export const income = "income>50K";

/**
 * The table that a bench learns from: that of --data FILE or LETHE_ADULT, a CSV file of whole numbers (an index a category) with the class in its last
 * column; without one, a table of the same shape is invented.
 */
export function adultTable(options) {
  const path = options.includes("--data") ? options[options.indexOf("--data") + 1] : process.env.LETHE_ADULT;
  const records = path ? readRecords(path) : invented(48_842, uniforms(1));
  if (!(income in (records[0] ?? {}))) throw new Error(`the table has no column ${income}`);
  return { source: path ? "adult" : "invented", records };
}

/** Cuts the records by chance into two thirds to train on and a third to judge by, so many times. */
export function* splitsOf(records, splits) {
  const uniform = uniforms(2);
  for (let split = 0; split < splits; split++) {
    const shuffled = shuffle(records, uniform);
    const cut = Math.floor((2 * shuffled.length) / 3);
    yield { train: shuffled.slice(0, cut), test: shuffled.slice(cut) };
  }
}

function readRecords(path) {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const values = line.split(",").map(Number);
    return Object.fromEntries(names.map((name, at) => [name, values[at]]));
  });
}

/** Rows whose class hangs on some of the columns, by a law with a bend and a heavy value. */
function invented(count, uniform) {
  return Array.from({ length: count }, () => {
    const whole = (size) => Math.floor(size * uniform());
    const numbers = Object.entries(ordered).map(([name, size]) => [name, whole(size)]);
    const names = Object.entries(named).map(([name, size]) => [name, whole(size)]);
    const row = Object.fromEntries([...numbers, ...names]);
    row["capital-gain"] = uniform() < 0.9 ? 0 : whole(100);
    const score =
      -3 +
      2 * Math.sin(row.age / 27) +
      row["education-num"] / 5 +
      (row["capital-gain"] > 40 ? 3 : 0) +
      (row["marital-status"] < 2 ? 1.5 : -1);
    row[income] = uniform() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
    return row;
  });
}

/** Seeded: which rows are held out is public, and is no noise. */
function uniforms(seed) {
  const source = new SeededSource(seed);
  return () => source.word() / 2 ** 32;
}

function shuffle(list, uniform) {
  const shuffled = [...list];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor((i + 1) * uniform());
    [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
  }
  return shuffled;
}
