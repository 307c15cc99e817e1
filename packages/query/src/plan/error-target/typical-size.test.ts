import { expect, it } from "vitest";
import { typicalSize, typicalWords } from "./typical-size.ts";

it.each<[readonly number[], number]>([
  [[], 0],
  [[-5], 5],
  [[3, 1], 1],
  [[120, -80, 3], 80],
  [[1, 2, 3, 4], 2],
  [[100, 9, 10], 10],
  [[0, 0, 7], 0],
])("the typical size of %j is %f", (values, size) => {
  const given = [...values];
  expect(typicalSize(given)).toBe(size);
  expect(given).toEqual(values);
});

it("the number that a share is of is named with how many it stands for", () => {
  expect(typicalWords({ values: 0, typical: 0 })).toBe("nothing was released");
  expect(typicalWords({ values: 1, typical: 80 })).toBe("of 80");
  expect(typicalWords({ values: 2, typical: 80 })).toBe("of 80, the median of 2 released sizes");
  expect(typicalWords({ values: 3, typical: 1_234_567.8 })).toBe(
    "of 1234570, the median of 3 released sizes",
  );
  expect(typicalWords({ values: 1, typical: 1 / 3 })).toBe("of 0.333333");
});
