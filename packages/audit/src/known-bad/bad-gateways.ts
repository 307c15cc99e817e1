import { LetheError, parseRational } from "@lethe/core";
import { type Exact, type ExactRows, seal } from "@lethe/core/mechanisms";
import { asDraws, openExact } from "@lethe/core/tape";
import { answerDrawing, type DrawingHouse, type Release, type ReleasedCell } from "@lethe/gateway";
import type { Engine } from "@lethe/query";
import type { Gateway } from "../replay/answers/run-script.ts";

/** A gateway with a fault: the replay of whole answers must find it, in these words. Each holds true noise beside the fault. */
export interface BadGateway {
  readonly id: string;
  readonly fault: string;
  readonly finds: RegExp;
  readonly gateway: Gateway;
}

/** How many rows the database holds: the sum of the first column. */
type Rows = bigint;
const isOdd = (rows: Rows): boolean => rows % 2n === 1n;

/** Answers as the gateway does, and spoils the answer by what it saw on the way. */
function spoiling(spoil: (release: Release, rows: Rows) => Release): Gateway {
  return async (question, house) => {
    const { engine, rows } = peeked(house.engine);
    const release = await answerDrawing(question, { ...house, engine });
    return spoil(release, rows());
  };
}

function peeked(engine: Engine): { readonly engine: Engine; rows(): Rows } {
  let rows = 0n;
  return {
    rows: () => rows,
    engine: {
      ...passing(engine),
      async run(query) {
        const answer = await engine.run(query);
        for (const { sums } of openExact(answer).groups) rows += sums[0] ?? 0n;
        return answer;
      },
    },
  };
}

function passing(engine: Engine): Engine {
  return {
    dialect: engine.dialect,
    storage: (table) => engine.storage(table),
    rows: (query) => engine.rows(query),
    published: (query) => engine.published(query),
    run: (query) => engine.run(query),
    close: () => engine.close(),
  };
}

function withCells(release: Release, change: (cell: ReleasedCell) => ReleasedCell): Release {
  return { ...release, rows: release.rows.map((row) => row.map(change)) };
}

function withEstimates(
  release: Release,
  change: (estimate: { value: number; lower: number; upper: number }) => ReleasedCell,
): Release {
  return withCells(release, (cell) =>
    typeof cell === "object" && cell !== null && "value" in cell && typeof cell.value === "number"
      ? change({ value: cell.value, lower: Number(cell.lower), upper: Number(cell.upper) })
      : cell,
  );
}

/** Changes what the database answered before it is sealed again. */
function rewriting(change: (rows: ExactRows) => ExactRows): Gateway {
  return (question, house) => {
    const run = async (query: Parameters<Engine["run"]>[0]): Promise<Exact<ExactRows>> =>
      seal(change(openExact(await house.engine.run(query))));
    return answerDrawing(question, { ...house, engine: { ...passing(house.engine), run } });
  };
}

function drawingOtherwise(change: (draws: DrawingHouse["draws"]) => Partial<DrawingHouse["draws"]>): Gateway {
  return (question, house) => {
    const { noise, selection, tree } = house.draws;
    const draws = asDraws({ noise, selection, tree, ...change(house.draws) });
    return answerDrawing(question, { ...house, draws });
  };
}

/** For questions of counts by declared keys. */
export const badGateways: readonly BadGateway[] = [
  {
    id: "row-order",
    fault: "the order of the rows depends on the data",
    finds: /another order of rows/,
    gateway: spoiling((release, rows) =>
      isOdd(rows) ? { ...release, rows: [...release.rows].reverse() } : release,
    ),
  },
  {
    id: "column-type",
    fault: "a column's type depends on its values",
    finds: /other types of cells/,
    gateway: spoiling((release, rows) =>
      isOdd(rows) ? withEstimates(release, ({ value }) => String(value)) : release,
    ),
  },
  {
    id: "column-name",
    fault: "a column's name depends on its values",
    finds: /other columns/,
    gateway: spoiling((release, rows) => ({
      ...release,
      columns: release.columns.map((column) => ({
        ...column,
        name: `${column.name}${isOdd(rows) ? "" : "s"}`,
      })),
    })),
  },
  {
    id: "empty-group",
    fault: "groups without rows are left out",
    finds: /another number of rows/,
    gateway: spoiling((release, rows) => ({
      ...release,
      rows: release.rows.slice(0, Number(rows % 2n) + 1),
    })),
  },
  {
    id: "group-label",
    fault: "a group is named as one of its rows spells it",
    finds: /other groups or labels/,
    gateway: spoiling((release, rows) =>
      withCells(release, (cell) => (typeof cell === "string" && isOdd(rows) ? cell.toUpperCase() : cell)),
    ),
  },
  {
    id: "exact-value",
    fault: "an exact number is added beside the noise",
    finds: /other values/,
    gateway: spoiling((release, rows) =>
      withEstimates(release, ({ value, ...ends }) => ({ value: value + Number(rows), ...ends })),
    ),
  },
  {
    id: "interval-of-data",
    fault: "an interval's width depends on the number of rows",
    finds: /other intervals/,
    gateway: spoiling((release, rows) =>
      withEstimates(release, ({ value, lower, upper }) => ({ value, lower, upper: upper + Number(rows) })),
    ),
  },
  {
    id: "note-of-data",
    fault: "a note says that there are few rows",
    finds: /other notes/,
    gateway: spoiling((release, rows) =>
      isOdd(rows) ? { ...release, notes: [...release.notes, "some groups are small"] } : release,
    ),
  },
  {
    id: "error-of-data",
    fault: "a row makes the question fail",
    finds: /one is answered, and the other refused/,
    gateway: spoiling((release, rows) => {
      if (isOdd(rows)) throw failure("a number is out of range");
      return release;
    }),
  },
  {
    id: "error-words",
    fault: "an error shows a value",
    finds: /another error: message/,
    gateway: spoiling((_, rows) => {
      throw failure(`${rows} is out of range`);
    }),
  },
  {
    id: "charge-told",
    fault: "the charge that is stated depends on the data",
    finds: /other charge in the certificate/,
    gateway: spoiling((release, rows) => ({
      ...release,
      certificate: {
        ...release.certificate,
        charge: { ...release.certificate.charge, epsilon: `${rows}` } as Release["certificate"]["charge"],
      },
    })),
  },
  {
    id: "price-of-data",
    fault: "the price depends on the data",
    finds: /draws measurement 0 with other parameters/,
    async gateway(question, house) {
      const { engine, rows } = peeked(house.engine);
      const first = { ...question, requestId: `${question.requestId} (look)` };
      await answerDrawing(first, { ...house, engine });
      const epsilon = parseRational(isOdd(rows()) ? "2" : "1");
      return answerDrawing({ ...question, options: { ...question.options, epsilon } }, house);
    },
  },
  {
    id: "charged-twice",
    fault: "a request is charged twice on some data",
    finds: /the ledger holds other records/,
    async gateway(question, house) {
      const { engine, rows } = peeked(house.engine);
      const release = await answerDrawing(question, { ...house, engine });
      const event = { kind: "constant", version: 1 } as const;
      const { loss, requestHash } = {
        loss: { measure: "approximate", epsilon: parseRational("1"), delta: parseRational("0") },
        requestHash: "ab".repeat(32),
      } as const;
      if (isOdd(rows()))
        await house.ledger.reserve({
          principal: "owner",
          requestId: "again",
          requestHash,
          loss,
          event,
          text: "",
        });
      return release;
    },
  },
  {
    id: "asked-again",
    fault: "the database is read twice on some data",
    finds: /asks the database for more on one neighbour/,
    gateway(question, house) {
      const run = async (query: Parameters<Engine["run"]>[0]): Promise<Exact<ExactRows>> => {
        const { engine, rows } = peeked(house.engine);
        const answer = await engine.run(query);
        return isOdd(rows()) ? answer : house.engine.run(query);
      };
      return answerDrawing(question, { ...house, engine: { ...passing(house.engine), run } });
    },
  },
  {
    id: "scale-of-data",
    fault: "the noise grows with the true value",
    finds: /draws measurement 0 with other parameters/,
    gateway: drawingOtherwise((draws) => ({
      noise: (noise, part) => (exact, key) =>
        draws.noise(isOdd(exact) ? noise : { mechanism: "discrete-laplace@1", scale: "9" }, part)(exact, key),
    })),
  },
  {
    id: "bare-zero",
    fault: "groups without rows draw no noise",
    finds: /draws measurement 0 for (?:fewer groups|a group that the other draws none for)/,
    gateway: drawingOtherwise((draws) => ({
      noise(noise, part) {
        const add = draws.noise(noise, part);
        return (exact, key) => (exact === 0n ? 0n : add(exact, key));
      },
    })),
  },
  {
    id: "rows-doubled",
    fault: "every row is counted twice and paid for once",
    finds: /measurement 0 is given inputs ℓ1 2 apart, 1 are paid for/,
    gateway: rewriting(({ groups }) => ({
      groups: groups.map((group) => ({ ...group, sums: group.sums.map((sum) => 2n * sum) })),
    })),
  },
];

function failure(message: string): LetheError {
  return new LetheError("query.type", message, { fix: "ask for something else" });
}
