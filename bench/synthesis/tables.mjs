import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SeededSource } from "@lethe/core/tape";

function categories(name, size) {
  return {
    kind: "categories",
    name,
    categories: Array.from({ length: size }, (_, at) => at),
    nullable: false,
  };
}

/** The census table of a folder: adult.csv and adult-domain.json. */
export function adult(folder) {
  const sizes = JSON.parse(readFileSync(join(folder, "adult-domain.json"), "utf8"));
  const [header, ...lines] = readFileSync(join(folder, "adult.csv"), "utf8").trim().split("\n");
  const rows = lines.map((line) => line.split(",").map(Number));
  const names = header.trim().split(",");
  return {
    domain: names.map((name) => categories(name, sizes[name])),
    columns: names.map((_, at) => Int32Array.from(rows, (row) => row[at])),
  };
}

/** 40,000 rows of ten columns: each follows one before it most of the time, the last says which of two classes. */
export function ownTable() {
  const sizes = [40, 9, 16, 7, 15, 6, 5, 30, 60, 2];
  const before = [-1, 0, 0, 1, 2, 3, 3, 4, 0, 3];
  const bits = new SeededSource(77);
  const columns = sizes.map(() => new Int32Array(40_000));
  for (let row = 0; row < 40_000; row++) {
    for (const [at, size] of sizes.entries()) {
      // Low values are likelier than high ones.
      const own = Math.floor(size * (bits.word() / 2 ** 32) ** 2);
      const parent = before[at];
      const follows = parent >= 0 && bits.word() % 4 > 0;
      columns[at][row] = follows ? Math.floor((columns[parent][row] * size) / sizes[parent]) : own;
    }
  }
  return { domain: sizes.map((size, at) => categories(`c${at}`, size)), columns };
}

/**
 * A wide table, invented: each column shows one of six hidden traits, or follows an earlier column, or neither, so that pairs hang together in no tree. Columns have
 * from 2 to 16 values. Another draw has other rows of the same law.
 */
export function wideTable(count, rows, draw = 0) {
  const kinds = [2, 5, 3, 8, 2, 12, 4, 16, 6, 10];
  let bits = new SeededSource(99);
  const uniform = () => bits.word() / 2 ** 32;
  const sizes = Array.from({ length: count }, (_, at) => kinds[(at * 7 + Math.floor(at / 10)) % 10]);
  const columns = sizes.map((_, at) => ({
    ...{ trait: Math.floor(uniform() * 6), before: at === 0 ? -1 : Math.floor(uniform() * at) },
    ...{ byTrait: 0.3 + 0.35 * uniform(), byBefore: 0.15 + 0.2 * uniform(), skew: 1.2 + 2 * uniform() },
  }));
  if (draw > 0) bits = new SeededSource(99 + draw);
  const codes = sizes.map(() => new Int32Array(rows));
  for (let row = 0; row < rows; row++) {
    const traits = Array.from({ length: 6 }, uniform);
    for (const [at, { trait, before, byTrait, byBefore, skew }] of columns.entries()) {
      const [size, kind] = [sizes[at], uniform()];
      if (kind < byTrait) codes[at][row] = Math.floor(size * traits[trait] ** skew);
      else if (kind < byTrait + byBefore && before >= 0)
        codes[at][row] = Math.floor((codes[before][row] * size) / sizes[before]);
      else codes[at][row] = Math.floor(size * uniform() ** skew);
    }
  }
  return { domain: sizes.map((size, at) => categories(`c${at}`, size)), columns: codes };
}

/** The mean total-variation distance of all pairs as a law has them, over merged values, from those of rows. */
export function lawDistance({ law, merged }, real) {
  const columns = real.map((column, at) => column.map((code) => merged[at].places[code]));
  const distances = [];
  for (let b = 0; b < columns.length; b++) {
    for (let a = 0; a < b; a++) {
      const table = law.chances([a, b]).slice();
      const [x, y] = [columns[a], columns[b]];
      for (let row = 0; row < x.length; row++) table[x[row] * law.sizes[b] + y[row]] -= 1 / x.length;
      distances.push(table.reduce((sum, apart) => sum + Math.abs(apart), 0) / 2);
    }
  }
  return distances.reduce((a, b) => a + b, 0) / distances.length;
}

/** The mean total-variation distance of all pairs from the products of their columns, with no noise. */
export function exactColumns(sizes, real) {
  const single = real.map((column, at) => {
    const shares = new Float64Array(sizes[at]);
    for (const code of column) shares[code] += 1 / column.length;
    return shares;
  });
  const chances = ([a, b]) =>
    Float64Array.from([...single[a]].flatMap((x) => [...single[b]].map((y) => x * y)));
  const law = { sizes, chances };
  const merged = sizes.map((size) => ({ places: Array.from({ length: size }, (_, at) => at) }));
  return lawDistance({ law, merged }, real);
}

/** The mean total-variation distance of all pairs of at most 10,000 cells. */
export function pairDistance(sizes, real, made) {
  const shares = (columns, a, b) => {
    const table = new Float64Array(sizes[a] * sizes[b]);
    const [x, y] = [columns[a], columns[b]];
    for (let row = 0; row < x.length; row++) table[x[row] * sizes[b] + y[row]] += 1 / x.length;
    return table;
  };
  const distances = [];
  for (let b = 0; b < sizes.length; b++) {
    for (let a = 0; a < b; a++) {
      if (sizes[a] * sizes[b] > 1e4) continue;
      const [p, q] = [shares(real, a, b), shares(made, a, b)];
      distances.push(p.reduce((sum, x, cell) => sum + Math.abs(x - q[cell]), 0) / 2);
    }
  }
  return distances.reduce((a, b) => a + b, 0) / distances.length;
}

/** Two thirds of the rows, and the rest. */
export function split(columns, seed) {
  const bits = new SeededSource(seed + 500);
  const trains = Array.from({ length: columns[0].length }, () => bits.word() % 3 > 0);
  const part = (wanted) => columns.map((column) => column.filter((_, row) => trains[row] === wanted));
  return [part(true), part(false)];
}
