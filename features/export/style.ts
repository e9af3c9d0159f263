import { createHash } from 'node:crypto'

/** Colours, fonts and measures of web/ui/tokens.css. */
export const archiveCss = `
:root{color-scheme:light dark;--ground:#e7ebe3;--board:#fcfdfa;--ink:#1c2420;--soft:#47524b;
  --faint:#5b665e;--line:#dbe0d6;--wood:#bd905b;--pine:#28634f;--own:#d2e8db}
@media (prefers-color-scheme:dark){:root{--ground:#101512;--board:#1c221e;--ink:#eeeadf;--soft:#bcbfb3;
  --faint:#9ba399;--line:#2e3631;--wood:#8d6d42;--pine:#a2cfaa;--own:#284636}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.6 -apple-system,BlinkMacSystemFont,
  "Segoe UI",Roboto,"Adwaita Sans",Cantarell,"Helvetica Neue","Hiragino Sans","Hiragino Kaku Gothic ProN",
  "Noto Sans JP","Noto Sans CJK JP","BIZ UDPGothic","Yu Gothic Medium",Meiryo,sans-serif;
  line-break:strict;text-autospace:normal;-webkit-text-size-adjust:100%}
:lang(ja){line-height:1.8;word-break:auto-phrase}
header,main,footer{max-width:40rem;margin:0 auto;padding:0 1rem}
header{padding-block:1.5rem 0}
h1,h2{font-family:ui-serif,"New York","Iowan Old Style","Sitka Heading",Cambria,Charter,
  "Hiragino Mincho ProN","Yu Mincho","Noto Serif JP","Noto Serif CJK JP","Noto Serif",serif;
  font-weight:600;line-height:1.25;overflow-wrap:anywhere}
h1:lang(ja),h2:lang(ja){line-height:1.4;letter-spacing:.04em}
h1{margin:.5rem 0 0;padding-block-end:.75rem;border-block-end:3px solid var(--wood);font-size:1.75rem}
h2{margin:0 0 .5rem;font-size:1.375rem}
p{margin:0}
a{color:var(--pine);text-underline-offset:.2em}
a:focus-visible{outline:2px solid var(--pine);outline-offset:2px}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
nav a{padding-block:.625rem}
main{padding-block:1rem}
main>nav{margin-block-start:1rem}
footer{padding-block:0 2rem;color:var(--faint);font-size:.875rem}
.board,.record{background:var(--board);padding:1rem;margin-block-end:3px;border-radius:4px}
.records>:first-child,main>.board:first-child{border-start-start-radius:16px;border-start-end-radius:16px}
.records>:last-child,main>.board:last-child{border-end-start-radius:16px;border-end-end-radius:16px}
.records{list-style:none;margin:0;padding:0}
.heading{font-weight:600;overflow-wrap:anywhere}
.time,.note,.count{color:var(--faint);font-size:.875rem;font-variant-numeric:tabular-nums}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.25rem 1rem;margin:.5rem 0 0}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0;overflow-wrap:anywhere}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(14rem,100%),1fr));gap:3px;
  margin-block-start:.75rem}
.pictures a{display:block}
.pictures img{display:block;width:auto;height:auto;max-width:100%;max-height:80vh;border-radius:10px}
.profile .pictures img{width:9rem}
.pictures .gone{color:var(--faint);font-size:.875rem}
.messages .record{width:fit-content;max-width:85%;padding:.5rem .75rem;
  margin-block:.75rem 0;border-radius:16px}
.messages .continued{margin-block-start:3px}
.messages .own{background:var(--own);margin-inline-start:auto}
.messages .heading{color:var(--soft);font-size:.875rem}
.messages .time{margin-block-start:.125rem;font-size:.8125rem}
.messages .own .time{color:var(--soft);text-align:end}
.messages .note{font-style:italic}
.messages .day{margin-block:2rem 0;text-align:center}
.messages .day:first-child{margin-block-start:0}
.day h2{margin:0;color:var(--soft);font-size:1rem}
.messages .pictures{margin-block-start:.25rem}
.messages .pictures:first-child{margin-block-start:0}
details{inline-size:100%}
summary{padding-block:.625rem;cursor:pointer}
summary:focus-visible{outline:2px solid var(--pine);outline-offset:2px}
.months ul,.list details ul{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin:0;padding:0;list-style:none}
.months.board{padding-block:.25rem;border-radius:16px;margin-block-end:.75rem}
.months a,.list details a{display:inline-block;padding-block:.5rem}
.list details li{border:0}
.empty{padding-block:.625rem;color:var(--soft)}
:target{outline:2px solid var(--pine);outline-offset:4px}
.list{list-style:none;margin:0;padding:0}
.list li{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 1rem;
  border-block-start:1px solid var(--line);overflow-wrap:anywhere}
.list a{padding-block:.625rem}
.list .count{margin-inline-start:auto;padding-block:.375rem}
.list li:first-child{border:0}
@media print{:root{--ground:#fff;--board:#fff}.record{break-inside:avoid}}
`

const hash = createHash('sha256').update(archiveCss).digest('base64')

/** Only the style above, and pictures beside the page: nothing is loaded from the network. */
export const securityPolicy = `default-src 'none'; img-src 'self' file:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
