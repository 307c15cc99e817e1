import { expect, it } from "vitest";
import { readParameters } from "./parameters.ts";

it("a value is JSON where it is a number, true, false, null or a quoted text, and else a text as it stands", () => {
  const param = [
    "2=42",
    "1=Oslo",
    '3="42"',
    "4=null",
    "5=false",
    "6=[1]",
    "7={}",
    "8=",
    "9=a=b\nc",
    "10=-0.5",
  ];
  expect(readParameters({ param })).toEqual(["Oslo", 42, "42", null, false, "[1]", "{}", "", "a=b\nc", -0.5]);
  expect(readParameters({ param: [] })).toEqual([]);
  expect(readParameters({ param: [], params: '[42, "Oslo", null, true]' })).toEqual([42, "Oslo", null, true]);
  expect(readParameters({ param: [], params: "[]" })).toEqual([]);
  expect(readParameters({ param: [], params: '{"eps": 1}' })).toEqual({ eps: 1 });
});

it.each<[readonly string[], string | undefined, string]>([
  [["1=a"], "[]", "--param and --params are given together"],
  [[], '{"a": [1]}', "--params is no JSON list"],
  [[], "[[1]]", "--params is no JSON list"],
  [[], "[1", "--params is no JSON list"],
  [["a"], undefined, "--param needs a number and a value"],
  [["x1=a"], undefined, "--param needs a number and a value"],
  [["01=a"], undefined, "--param needs a number and a value"],
  [["10000=a"], undefined, "--param needs a number and a value"],
  [["1=a", "1=b"], undefined, "--param gives $1 twice"],
  [["2=a"], undefined, "--param gives no value for $1"],
  [["1=a", "3=b"], undefined, "--param gives no value for $2"],
])("the values %j and %j are refused: %s", (param, params, message) => {
  expect(() => readParameters({ param, params })).toThrowError(
    expect.objectContaining({ code: "cli.usage", message: expect.stringContaining(message) }),
  );
});
