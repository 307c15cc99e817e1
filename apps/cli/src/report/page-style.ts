/** How a report looks, in light and in dark, and on paper. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --grid: #dfe3e8; --paper: #ffffff; --panel: #f6f7f9;
  --lethe: #14508c; --naive: #c2611a; --other: #8a4fa3; --another: #75760f; --ceiling: #1f7a52; --good: #1f7a52; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7eaee; --soft: #9aa5b1; --grid: #333a43; --paper: #14181d; --panel: #1c2229;
  --lethe: #6cb0f2; --naive: #f0a35e; --other: #c79ade; --another: #cfcf6a; --ceiling: #5fd0a0; --good: #5fd0a0; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 0 0 6px; }
p { margin: 0 0 10px; max-width: 78ch; }
.soft, figcaption { color: var(--soft); }
.verdict { font-size: 18px; font-weight: 600; margin: 18px 0 6px; padding-left: 12px; border-left: 4px solid var(--good); }
.verdict.bad { border-color: var(--bad); }
figure, section { margin: 36px 0 0; min-width: 0; }
figcaption { max-width: 78ch; margin-top: 6px; }
.key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 0 8px; font-size: 13px; }
.key span { display: inline-flex; align-items: center; gap: 7px; }
.key i { display: inline-block; width: 18px; height: 0; border-top: 3px solid; }
.key i.dash { border-top-style: dashed; border-top-width: 2px; }
.key i.thin { border-top-width: 1px; }
.key i.dot { width: 10px; height: 10px; border: 0; border-radius: 50%; background: currentColor; }
.key i.tick { width: 0; height: 14px; border-top: 0; border-left: 3px solid; }
.lethe { color: var(--lethe); } .naive { color: var(--naive); } .other { color: var(--other); } .another { color: var(--another); }
.ceiling { color: var(--ceiling); } .key .soft { color: var(--soft); }
.panels { display: flex; flex-wrap: wrap; gap: 20px; align-items: flex-start; overflow-x: auto; }
.panels svg { max-width: 100%; height: auto; } #guesses svg { min-width: 640px; }
.wide { margin-bottom: 8px; }
.figures { display: flex; flex-wrap: wrap; gap: 0 48px; }
#guesses, #epsilon { flex: 1 1 100%; }
#roc, #reconstruction { flex: 1 1 430px; max-width: 100%; }
details { margin-top: 8px; } summary { cursor: pointer; color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; margin-top: 8px; }
th, td { text-align: left; vertical-align: top; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--grid); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td.verdict-word { white-space: nowrap; font-weight: 600; }
.stands, .caught { color: var(--good); } .finding, .missed { color: var(--bad); } .told { color: var(--soft); }
tr.wrong td { background: color-mix(in srgb, var(--bad) 10%, transparent); }
footer { margin-top: 40px; color: var(--soft); font-size: 13px; }
@media print { details { display: none; } figure, tr { break-inside: avoid; } }
`;
