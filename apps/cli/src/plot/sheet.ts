/** The margins of a drawing of several panels, in pixels of the SVG's own grid. */
export const margin = { side: 28, top: 104, bottom: 58 } as const;
export const ink = { text: "#1b1f24", soft: "#59636e", grid: "#d9dde2", paper: "#ffffff" } as const;
/** The colours of lines. Colour-blind readers can tell them apart too, as well as by their order from dark to light. */
export const colours = ["#14508c", "#d1701b", "#2f8f63", "#8a4fa3", "#b0892f"] as const;
export const font = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

export interface Words {
  readonly title: string;
  readonly subtitle: string;
}

/** Returns the SVG file around its parts: title, subtitle, paper. */
export function sheetOf(
  size: { readonly width: number; readonly height: number },
  words: Words,
  parts: readonly string[],
): string {
  const { width, height } = size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${font}">`,
    `<title>${escaped(words.title)}</title>`,
    `<desc>${escaped(words.subtitle)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${ink.paper}"/>`,
    `<text x="${margin.side + 4}" y="36" font-size="20" font-weight="700" fill="${ink.text}">${escaped(words.title)}</text>`,
    `<text x="${margin.side + 4}" y="58" font-size="13" fill="${ink.soft}">${escaped(words.subtitle)}</text>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** Returns a panel's own title, above its corner. */
export function panelTitle(text: string, x: number, y: number): string {
  return `<text x="${x + 4}" y="${y - 8}" font-size="15" font-weight="600" fill="${ink.text}">${escaped(text)}</text>`;
}

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
