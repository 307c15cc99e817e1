// Apache Superset, really started, over PostgreSQL's protocol of the built `lethe serve`: it looks at the catalog, makes data sets, charts, filters by time, and asks in SQL Lab, by the calls that its pages make.
// Needs `bench/peers/setup superset`. Each chart asks Lethe anew: Superset's own cache is passed by.
// superset.columns: columns that it found (4). superset.chart.rows: bars of a chart of a COUNT and an AVG by category (3). superset.chart.wrong: cells of it that are not what Lethe answers over HTTP (0).
// superset.months: points of a chart by month with a time range of three years (36). superset.refused: samples of rows that were refused with a rewrite, in a chart and in SQL Lab (2).
// superset.charged: charges of it all (4), though each question was asked more than once. superset.chart: milliseconds of a chart that is repeated.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { send, startService } from "../testing/src/serve/service-process.mjs";
import { figure, median } from "./figure.mjs";
import { program, startSuperset } from "./superset/start-superset.mjs";
import { cpsPeople, makeWorkspace, runLethe } from "./workspace.mjs";

export default async function bench() {
  if (!existsSync(program)) {
    console.error("there is no Superset: run bench/peers/setup superset");
    return;
  }
  const home = mkdtempSync(join(tmpdir(), "lethe-superset-"));
  const workspace = makeHiredWorkspace();
  let service;
  let superset;
  try {
    const [token] =
      /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(runLethe(workspace.folder, ["people", "add", "ada"])) ?? [];
    service = await startService(workspace.folder, { postgres: true });
    superset = await startSuperset(home);
    const uri = `postgresql+psycopg2://${token.slice(0, 22)}:${token}@127.0.0.1:${service.postgresPort}/lethe`;
    const overHttp = async (sql) => {
      const body = JSON.stringify({ sql, epsilon: "0.5" });
      const { text } = await send({ port: service.port, method: "POST", path: "/v1/query", token, body });
      return JSON.parse(text).answer.rows;
    };
    await chart(superset, uri, overHttp);
    const report = JSON.parse(runLethe(workspace.folder, ["budget", "--format", "json"]));
    figure("superset.charged", report.charges.length, "charges");
  } finally {
    await superset?.stop();
    await service?.stop();
    workspace.remove();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The people of the CPS of 1985, each with a day on which they were hired, which is made up. */
function makeHiredWorkspace() {
  const lines = cpsPeople().map(({ wage, age, sector }, at) => {
    const hired = new Date(Date.UTC(1960 + (at % 25), at % 12, 1 + (at % 28))).toISOString().slice(0, 10);
    return `${wage},${age},${sector},${hired}`;
  });
  return makeWorkspace(`wage,age,sector,hired\n${lines.join("\n")}\n`, [
    ...["--bounds", "wage=0..60", "--bounds", "age=int:16..70", "--bounds", "hired=1960-01-01..1984-12-31"],
    ...["--categories", "sector=manufacturing,construction,other"],
    ...["--measure", "approximate", "--epsilon", "1000", "--delta", "1e-6"],
  ]);
}

const mean = { expressionType: "SIMPLE", column: { column_name: "wage" }, aggregate: "AVG", label: "mean" };
const bySector = {
  columns: ["sector"],
  metrics: ["count", mean],
  orderby: [["count", false]],
  row_limit: 1000,
};
const byMonth = {
  columns: [
    {
      columnType: "BASE_AXIS",
      expressionType: "SQL",
      sqlExpression: "hired",
      label: "hired",
      timeGrain: "P1M",
    },
  ],
  metrics: ["count"],
  filters: [{ col: "hired", op: "TEMPORAL_RANGE", val: "1970-01-01 : 1973-01-01" }],
  extras: { time_grain_sqla: "P1M" },
  row_limit: 1000,
};

async function chart({ call }, sqlalchemyUri, overHttp) {
  const done = async (path, json) => {
    const { status, body } = await call(`/api/v1/${path}`, json);
    if (status >= 400) throw new Error(`superset ${path}: ${status} ${JSON.stringify(body).slice(0, 2000)}`);
    return body;
  };
  const stated = {
    database_name: "lethe",
    sqlalchemy_uri: sqlalchemyUri,
    extra: JSON.stringify({
      engine_params: { connect_args: { options: "-c lethe.epsilon=0.5 -c lethe.intervals=off" } },
    }),
  };
  await done("database/test_connection/", stated);
  const database = (await done("database/", { ...stated, expose_in_sqllab: true })).id;
  const { id } = await done("dataset/", { database, schema: "public", table_name: "people" });
  const { result } = await done(`dataset/${id}`);
  figure("superset.columns", result.columns.length, "columns");

  const request = (query, kind = "full") => ({
    datasource: { id, type: "table" },
    force: true,
    queries: [query],
    result_format: "json",
    result_type: kind,
  });
  const asked = async (query) => (await done("chart/data", request(query))).result[0];
  const first = await asked(bySector);
  console.error(first.query);
  figure("superset.chart.rows", first.rowcount, "rows");
  const answered = await overHttp(first.query);
  const due = answered.map((row) => ({ sector: row.sector, count: row.count.value, mean: row.mean.value }));
  const cells = due.flatMap((row, at) =>
    Object.keys(row).map((name) => row[name] === first.data[at]?.[name]),
  );
  figure("superset.chart.wrong", cells.filter((isRight) => !isRight).length, "cells");
  const times = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const began = performance.now();
    const again = await asked(bySector);
    times.push(performance.now() - began);
    if (JSON.stringify(again.data) !== JSON.stringify(first.data)) throw new Error("a repeat differs");
  }
  const months = await asked(byMonth);
  console.error(months.query);
  await asked(byMonth);
  figure("superset.months", months.rowcount, "points");

  const lab = (sql, at) =>
    call("/api/v1/sqllab/execute/", {
      ...{ database_id: database, schema: "public", client_id: `bench-${at}`, queryLimit: 1000 },
      ...{ runAsync: false, sql },
    });
  const question = "SELECT sector, AVG(age) AS mean FROM people GROUP BY sector";
  const [one, other] = [await lab(question, 1), await lab(question, 2)].map(({ body }) =>
    JSON.stringify(body.data),
  );
  if (one === undefined || one !== other) throw new Error("SQL Lab's repeat differs, or was not answered");
  const samples = [
    await call("/api/v1/chart/data", request({ columns: [], row_limit: 100 }, "samples")),
    await lab("SELECT * FROM people LIMIT 200", 3),
  ].map(({ body }) => JSON.stringify(body));
  for (const told of samples) console.error(told.slice(0, 600));
  const isRefused = (told) => /HINT: {2}.* a question near it, .*: SELECT .*COUNT\(\*\) FROM /.test(told);
  figure("superset.refused", samples.filter(isRefused).length, "samples");

  // The values that a filter offers: one question, which is asked once.
  const values = await done(`datasource/table/${id}/column/sector/values/`);
  if (values.result.length !== 3) throw new Error("a filter offers other values");
  await done(`datasource/table/${id}/column/sector/values/`);
  figure("superset.chart", median(times), "ms");
}
