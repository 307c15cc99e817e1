import { LetheError } from "@lethe/core";
import type { Release } from "@lethe/gateway";
import { findBrowser, pngOf } from "./browser.ts";

/** How a release becomes the content of a plot's file. */
export type Draw = (release: Release) => Promise<string | Uint8Array>;

/**
 * How to draw into a file of this name: .svg anywhere, .png where there is a Chromium. Errors: cli.usage, before anything is
 * paid.
 */
export function drawInto(path: string): Draw {
  const ending = /\.(svg|png)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined)
    throw new LetheError("cli.usage", "--plot writes a file that ends in .svg or .png", {
      fix: "name it --plot answer.svg",
    });
  if (ending === "svg") return drawn;
  const browser = findBrowser();
  if (browser === null)
    throw new LetheError(
      "cli.usage",
      "a .png needs a browser to draw it, and there is no Chromium on the PATH",
      {
        fix: "name it .svg, which needs none; or install Chromium, or name it in LETHE_CHROMIUM",
      },
    );
  return async (release) => inPixels(await drawn(release), browser, release.certificate.requestId);
}

async function drawn(release: Release): Promise<string> {
  const [{ chartOf }, { drawAnswer }] = await Promise.all([
    import("./answer-chart.ts"),
    import("./draw-answer.ts"),
  ]);
  return drawAnswer(chartOf(release));
}

async function inPixels(svg: string, browser: string, requestId: string): Promise<Uint8Array> {
  try {
    return await pngOf(svg, browser);
  } catch {
    throw new LetheError("cli.file", `${browser} drew nothing`, {
      fix: `ask the same again with --request ${requestId} and --plot answer.svg: it costs nothing`,
    });
  }
}
