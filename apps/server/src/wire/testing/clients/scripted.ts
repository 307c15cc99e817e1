import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { pinnedVersion } from "./pinned-version.ts";
import { outcomesOfProgram } from "./run-program.ts";
import type { Feature, Place, WireClient } from "./wire-client.ts";

const program = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));

/** Where scripts/wire-clients.mjs put the clients in Python and pgjdbc. */
const python = process.env.LETHE_WIRE_PYTHON;
const pgjdbcJar = process.env.LETHE_WIRE_PGJDBC;

function inPython(name: string, wheel: string, file: string, without: WireClient["without"]): WireClient {
  return {
    name,
    version: pinnedVersion(wheel, "pip"),
    without,
    missing: () => (python ? null : "LETHE_WIRE_PYTHON is not set"),
    run: (place, wanted) =>
      outcomesOfProgram(python ?? "python", [program(file)], {
        LETHE_WIRE_PLACE: JSON.stringify({ ...place, features: wanted }),
        PYTHONDONTWRITEBYTECODE: "1",
      }),
  };
}

const noNotices = "it shows no notices";
const byItsDriver = "its driver decides: see there";

/** The clients that are programs of their own. */
export const scripted: readonly WireClient[] = [
  inPython("psycopg 3", "psycopg", "psycopg3.py", {}),
  inPython("psycopg 2", "psycopg2-binary", "psycopg2_client.py", {
    binary: "it asks for texts",
  }),
  inPython("asyncpg", "asyncpg", "asyncpg_client.py", { binding: "it signs in by SCRAM-SHA-256 alone" }),
  inPython("SQLAlchemy", "SQLAlchemy", "sqlalchemy_client.py", {
    binary: byItsDriver,
    copy: byItsDriver,
  }),
  inPython("pandas", "pandas", "pandas_client.py", {
    price: noNotices,
    binary: byItsDriver,
    copy: "it reads by SELECT",
    cancel: "it waits",
  }),
  inPython("ADBC", "adbc-driver-postgresql", "adbc_client.py", {
    price: noNotices,
    cursor: "Arrow's batches come of one COPY",
  }),
  {
    name: "pgjdbc",
    version: pinnedVersion("org.postgresql:postgresql", "maven"),
    without: {},
    missing() {
      if (!pgjdbcJar) return "LETHE_WIRE_PGJDBC is not set";
      return spawnSync("java", ["-version"]).status === 0 ? null : "Java is not installed";
    },
    run: (place, wanted) =>
      outcomesOfProgram("java", ["-XX:TieredStopAtLevel=1", "-cp", pgjdbcJar ?? "", program("Pgjdbc.java")], {
        LETHE_WIRE_PROPERTIES: properties(place, wanted),
      }),
  },
];

function properties({ questions, ...place }: Place, wanted: readonly Feature[]): string {
  const asked = Object.entries(questions).map(([name, text]) => [`questions.${name}`, text] as const);
  const lines = [...Object.entries(place), ...asked, ["features", wanted.join(",")] as const];
  return lines
    .filter(([, value]) => typeof value !== "function")
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}
