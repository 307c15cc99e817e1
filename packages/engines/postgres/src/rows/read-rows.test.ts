import { EventEmitter } from "node:events";
import type { ExactRows } from "@lethe/core/mechanisms";
import type { CompiledQuery } from "@lethe/query";
import type { PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import { readRows } from "./read-rows.ts";

/** Numbers of types in pg_type, which never change. */
const types = {
  ...{
    bool: 16,
    int8: 20,
    int2: 21,
    int4: 23,
    text: 25,
    float4: 700,
    float8: 701,
    bpchar: 1042,
    varchar: 1043,
  },
  ...{
    numeric: 1700,
    date: 1082,
    bytea: 17,
    oid: 26,
    json: 114,
    char: 18,
    name: 19,
    timestamp: 1114,
    uuid: 2950,
  },
} as const;
type Type = keyof typeof types;
type Row = readonly (string | null)[];

/** The messages of a client to a query: rows, and an error or the end. */
interface Said {
  readonly columns: readonly Type[];
  readonly rows: readonly Row[];
  readonly error?: Error;
}

/** Reads what a server says; `stops` counts how often the statement was told to end. */
async function read(
  { columns, rows, error }: Said,
  keys: number,
  sums: number,
  more: { readonly most?: number; readonly needsSeed?: boolean } = {},
): Promise<{ answer: ExactRows | Error; stops: number; asked: { text: string; values: unknown[] } }> {
  const running = new EventEmitter();
  let asked: { text: string; values: unknown[] } | undefined;
  const client = {
    query(query: { text: string; values: unknown[] }) {
      asked = query;
      queueMicrotask(() => {
        const result = { fields: columns.map((type) => ({ dataTypeID: types[type] })) };
        for (const row of rows) running.emit("row", row, result);
        if (error) running.emit("error", error);
        else running.emit("end", result);
      });
      return running;
    },
  } as unknown as PoolClient;
  let stops = 0;
  const query = { sql: "SELECT", keys, sums, needsSeed: more.needsSeed ?? false } as unknown as CompiledQuery;
  const answer = await readRows(client, query, "a seed", more.most ?? 100, () => {
    stops += 1;
  }).catch((thrown: Error) => thrown);
  return { answer, stops, asked: asked! };
}

const keyOf = async (type: Type, text: string | null): Promise<unknown> => {
  const { answer } = await read({ columns: [type, "int8"], rows: [[text, "1"]] }, 1, 0);
  return answer instanceof Error ? answer.message : answer.groups[0]!.key[0];
};

describe("keys", () => {
  it("of every type of integers are integers, of any size", async () => {
    for (const type of ["int2", "int4", "int8"] as const) {
      expect(await keyOf(type, "-7"), type).toBe(-7n);
      expect(await keyOf(type, "9007199254740993"), type).toBe(9_007_199_254_740_993n);
      expect(await keyOf(type, null), type).toBeNull();
    }
  });

  it("of doubles are numbers; what is none is NULL, and −0 is 0", async () => {
    for (const type of ["float4", "float8"] as const) {
      expect(await keyOf(type, "0.1"), type).toBe(0.1);
      expect(await keyOf(type, "7"), type).toBe(7);
      expect(await keyOf(type, "-0"), type).toBe(0);
      for (const none of ["NaN", "Infinity", "-Infinity", null])
        expect(await keyOf(type, none), type).toBeNull();
    }
  });

  it("of texts are as they are, and of truths true or false", async () => {
    for (const type of ["text", "varchar", "bpchar"] as const)
      for (const text of ["7", "t", "", " ü", null]) expect(await keyOf(type, text), type).toBe(text);
    expect([await keyOf("bool", "t"), await keyOf("bool", "f"), await keyOf("bool", null)]).toEqual([
      true,
      false,
      null,
    ]);
  });

  it.each(["numeric", "date", "bytea", "oid", "json", "char", "name", "timestamp", "uuid"] as const)(
    "of type %s fail, for they are neither text, number nor boolean",
    async (type) => {
      expect(await keyOf(type, "1")).toBe("a key is neither text, number nor boolean");
    },
  );
});

describe("units and sums", () => {
  it("are integers of any type and size, and 0 where nothing was summed", async () => {
    const columns = ["text", "int8", "int2", "int4", "numeric", "numeric"] as const;
    const rows = [["k", "3", "-1", null, "1329227995784915872903807060280344577", "0"]];
    expect((await read({ columns, rows }, 1, 4)).answer).toEqual({
      groups: [{ key: ["k"], units: 3n, sums: [-1n, 0n, 2n ** 120n + 1n, 0n] }],
    });
  });

  it.each(["text", "bool", "float8", "float4", "date", "oid"] as const)("of type %s fail", async (type) => {
    for (const [columns, row] of [
      [
        [type, "int8"],
        ["1", "1"],
      ],
      [
        ["int8", type],
        ["1", "1"],
      ],
    ] as const) {
      const { answer, stops } = await read({ columns, rows: [row] }, 0, 1);
      expect(answer).toEqual(new Error("a sum is not a number"));
      expect(stops).toBe(1);
      // The columns are looked at also where there is no row.
      expect((await read({ columns, rows: [] }, 0, 1)).answer).toEqual(new Error("a sum is not a number"));
    }
  });

  it("that are no integer fail", async () => {
    const { answer } = await read({ columns: ["numeric"], rows: [["1.5"]] }, 0, 0);
    expect(answer).toBeInstanceOf(SyntaxError);
  });
});

describe("a result", () => {
  it("of another width than was asked fails, with rows or without", async () => {
    for (const rows of [[], [["1", "2"]]]) {
      const said = { columns: ["int8", "int8"], rows } as const;
      expect((await read(said, 0, 0)).answer).toEqual(new Error("expected 1 columns, got 2"));
      expect((await read(said, 1, 2)).answer).toEqual(new Error("expected 4 columns, got 2"));
      expect((await read(said, 1, 0)).answer).not.toBeInstanceOf(Error);
    }
  });

  it("of as many groups as may be is read; at one more the statement is stopped, once", async () => {
    const rows = Array.from({ length: 5 }, () => ["1"]);
    const all = await read({ columns: ["int8"], rows }, 0, 0, { most: 5 });
    expect([(all.answer as ExactRows).groups.length, all.stops]).toEqual([5, 0]);
    for (const error of [undefined, new Error("canceling statement")]) {
      const said = { columns: ["int8"], rows, ...(error ? { error } : {}) } as const;
      const most = await read(said, 0, 0, { most: 2 });
      expect([most.answer, most.stops]).toEqual([new Error("more than 2 groups"), 1]);
    }
  });

  it("that ends by an error fails with it", async () => {
    const error = new Error("out of memory");
    expect(await read({ columns: ["int8"], rows: [["1"]], error }, 0, 0)).toMatchObject({
      answer: error,
      stops: 0,
    });
  });

  it("has the seed where the statement needs it, and nothing where it does not", async () => {
    const said = { columns: ["int8"], rows: [] } as const;
    expect((await read(said, 0, 0, { needsSeed: true })).asked.values).toEqual(["a seed"]);
    expect((await read(said, 0, 0)).asked.values).toEqual([]);
  });
});
