import { expect, test } from "vitest";
import { all, parsedSvg } from "../testing/parsed-svg.ts";
import type { Chart } from "./chart.ts";
import { percent } from "./chart.ts";
import { drawCharts, text } from "./draw-chart.ts";

const chart: Chart = {
  id: "guesses",
  title: "How often <it> is right",
  caption: "A dot is 5 % of all.",
  key: [
    { text: "Lethe", colour: "lethe", mark: "dot" },
    { text: "what ε allows", colour: "ceiling", mark: "tick" },
  ],
  data: [
    ["attack", "right"],
    ["linkage", "61 %"],
    ["<b>", ""],
  ],
  panels: () => [
    { width: 200, marks: [] },
    { width: 300, marks: [] },
  ],
};

test("nothing is drawn of nothing, and charts in their order", async () => {
  expect(await drawCharts([])).toEqual([]);
  const drawn = await drawCharts([chart, { ...chart, id: "roc" }]);
  expect(drawn.map((figure) => /^<figure id="(\w+)">/.exec(figure)![1])).toEqual(["guesses", "roc"]);
});

test("a figure has its title, its key, each panel named and described, its caption, and the same as numbers", async () => {
  const [figure] = await drawCharts([chart]);
  expect(figure).toContain("<h2>How often &lt;it&gt; is right</h2>");
  expect(figure).toContain(
    '<p class="key"><span><i class="dot lethe"></i>Lethe</span> <span><i class="tick ceiling"></i>what ε allows</span></p>',
  );
  expect(figure).toContain("<figcaption>A dot is 5\u00a0% of all.</figcaption>");
  expect(figure).toContain(
    "<summary>The same as numbers</summary>" +
      '<div class="wide"><table><thead><tr><th scope="col">attack</th><th scope="col">right</th></tr></thead>' +
      "<tbody><tr><td>linkage</td><td>61\u00a0%</td></tr><tr><td>&lt;b&gt;</td><td></td></tr></tbody></table></div>",
  );
  const panels = figure!.match(/<svg[\s\S]*?<\/svg>/g)!.map(parsedSvg);
  expect(panels.map((panel) => panel.getAttribute("width"))).toEqual(["200", "300"]);
  for (const [at, panel] of panels.entries()) {
    expect(panel.getAttribute("role")).toBe("img");
    expect(panel.getAttribute("aria-labelledby")).toBe(`guesses-${at}-title guesses-${at}-words`);
    expect(panel.getAttribute("color")).toBe("currentColor");
    expect(all(panel, `#guesses-${at}-title`).map(({ textContent }) => textContent)).toEqual([
      "How often <it> is right",
    ]);
    expect(all(panel, `#guesses-${at}-words`).map(({ textContent }) => textContent)).toEqual([
      "A dot is 5\u00a0% of all.",
    ]);
  }
});

test("text is no markup, hides nothing, and keeps a number with its %", () => {
  expect(text('<a href="x">&</a>')).toBe("&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
  expect(text("5 % of 10 % and so %")).toBe("5\u00a0% of 10\u00a0% and so %");
  expect(text("a\u202eb")).toBe("a\\u{202e}b");
});

test.each([
  [0, "0 %"],
  [1, "100 %"],
  [0.5, "50 %"],
  [0.1234, "12.3 %"],
  [0.9996, "100 %"],
])("a share of %d reads %s", (share, words) => {
  expect(percent(share)).toBe(words);
});
