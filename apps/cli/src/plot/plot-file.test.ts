import { afterEach, expect, it, vi } from "vitest";
import { around, released } from "../testing/released-answer.ts";
import { drawInto } from "./plot-file.ts";

const browser = vi.hoisted(() => ({ findBrowser: vi.fn(), pngOf: vi.fn() }));
vi.mock("./browser.ts", () => browser);
afterEach(() => vi.resetAllMocks());

const plain = released([], [[around(9)]], { n: "count" });
const release = { ...plain, certificate: { ...plain.certificate, requestId: "monday" } };

it("a name that ends in .svg is drawn without a browser", async () => {
  for (const name of ["a.svg", "a.SVG", "a.png.svg"])
    expect(await drawInto(name)(release)).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(browser.findBrowser).not.toHaveBeenCalled();
});

it("a name that ends in .png is drawn by a browser, from the same drawing", async () => {
  browser.findBrowser.mockReturnValue("/bin/chromium");
  browser.pngOf.mockResolvedValue(new Uint8Array([1]));
  expect(await drawInto("a.PNG")(release)).toEqual(new Uint8Array([1]));
  expect(browser.pngOf).toHaveBeenCalledWith(await drawInto("a.svg")(release), "/bin/chromium");
});

it("another ending, and pixels where there is no browser, are refused before anything is asked", () => {
  for (const name of ["a.jpg", "svg", "a.svg.txt", ""])
    expect(() => drawInto(name)).toThrowError(
      expect.objectContaining({ code: "cli.usage", fix: "name it --plot answer.svg" }),
    );
  browser.findBrowser.mockReturnValue(null);
  expect(() => drawInto("a.png")).toThrowError(
    expect.objectContaining({ code: "cli.usage", fix: expect.stringContaining("LETHE_CHROMIUM") }),
  );
});

it("a browser that draws nothing is told by its name, with how the same is asked again at no cost", async () => {
  browser.findBrowser.mockReturnValue("/bin/chromium");
  browser.pngOf.mockRejectedValue(new Error("a secret path"));
  await expect(drawInto("a.png")(release)).rejects.toMatchObject({
    code: "cli.file",
    message: "/bin/chromium drew nothing",
    fix: "ask the same again with --request monday and --plot answer.svg: it costs nothing",
  });
});
