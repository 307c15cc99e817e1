// node make-clinic.mjs [folder]: writes patients.csv and visits.csv of a clinic that does not exist: 6,000 patients, about 12,000 visits in 2025.
// The numbers come from a fixed seed, so that everybody who follows the tutorials has the same files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? ".";
const random = seeded(2025);
const departments = [
  { name: "surgery", share: 0.2, usualCost: 1400 },
  { name: "medicine", share: 0.35, usualCost: 700 },
  { name: "paediatrics", share: 0.15, usualCost: 300 },
  { name: "emergency", share: 0.3, usualCost: 500 },
];
const areas = ["north", "south", "east", "west"];

const patients = Array.from({ length: 6000 }, (_, at) => ({
  patient: `p${String(at + 1).padStart(4, "0")}`,
  birthYear: 1930 + Math.floor(90 * random()),
  area: areas[Math.floor(areas.length * random())],
}));
const visits = patients.flatMap(({ patient }) =>
  Array.from({ length: Math.min(12, 1 + Math.floor(-1.2 * Math.log(1 - random()))) }, () => visitOf(patient)),
);

write("patients.csv", "patient,birth_year,area", patients);
write("visits.csv", "patient,day,department,cost,readmitted", visits);

function visitOf(patient) {
  const { name, usualCost } = departmentAt(random());
  const day = new Date(Date.UTC(2025, 0, 1 + Math.floor(365 * random()))).toISOString().slice(0, 10);
  // The logarithm of a cost is a sum of uniform draws, which is close to normal.
  const cost = (usualCost * Math.exp(random() + random() + random() - 1.5)).toFixed(2);
  return { patient, day, department: name, cost, readmitted: random() < 0.12 };
}

function departmentAt(share) {
  const reached = departments.map((_, at) =>
    departments.slice(0, at + 1).reduce((total, { share: own }) => total + own, 0),
  );
  return departments[reached.findIndex((end) => end > share)] ?? departments.at(-1);
}

function write(name, header, rows) {
  const lines = rows.map((row) => Object.values(row).join(","));
  writeFileSync(join(folder, name), `${[header, ...lines].join("\n")}\n`);
  console.log(`${name}: ${rows.length} rows`);
}

/** Numbers in [0, 1) from Marsaglia's xorshift generator with 32 bits: enough for an example, and no source of noise. */
function seeded(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
