import { setTimeout as pause } from "node:timers/promises";
import { askAs } from "../ask.mjs";

/** Statements of questions that have this text within; neither this nor any other look at the server is one. */
const asked = (mark) =>
  `query LIKE '%${mark}%' AND query NOT LIKE '%system.runtime%' AND query NOT LIKE 'EXPLAIN%' AND query NOT LIKE '%information_schema%'`;

/** Waits until at least so many workers run splits of a statement with this text. */
export async function untilSplit(url, mark, workers) {
  for (;;) {
    const [[running]] = await askAs(
      "owner",
      url,
      `SELECT count(DISTINCT node_id) FROM system.runtime.tasks JOIN system.runtime.queries USING (query_id)
       WHERE ${asked(mark)} AND queries.state = 'RUNNING' AND running_splits > 0`,
    );
    if (running >= workers) return;
    await pause(100);
  }
}

/** The milliseconds of processor that each node spent on splits of statements with this text: [[node, whether it is the coordinator, milliseconds]]. */
export const splitWork = (url, mark) =>
  askAs(
    "owner",
    url,
    `SELECT nodes.node_id, coordinator, coalesce(sum(split_cpu_time_ms), 0) FROM system.runtime.nodes
     LEFT JOIN (SELECT * FROM system.runtime.tasks JOIN system.runtime.queries USING (query_id) WHERE ${asked(mark)}) AS done ON done.node_id = nodes.node_id
     GROUP BY 1, 2 ORDER BY 2 DESC, 1`,
  );
