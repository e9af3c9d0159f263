import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Language } from '#core/contract.ts'
import { Download } from '#core/http/downloads.ts'
import { escapeHtml } from '#core/text/i18n.ts'

// Pages without the app, for one bar of signal: a few kB, readable without scripts.

const STYLE = `:root{color-scheme:light dark;--line:#8888}
body{font:1.125rem/1.6 system-ui,sans-serif;margin:0 auto;max-width:34rem;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.3}
.drill{border:3px solid;border-radius:.5rem;font-weight:700;padding:.5rem .75rem}
.note{border-left:.3rem solid #2a7;padding-left:.75rem}
form{display:grid;gap:.75rem}
label{display:grid;gap:.25rem}
label.check{align-items:center;grid-template-columns:auto 1fr;min-height:2.75rem}
fieldset{border:1px solid var(--line);border-radius:.5rem;margin:0}
input,textarea{border:1px solid #777;border-radius:.5rem;box-sizing:border-box;font:inherit;min-height:2.75rem;padding:.5rem;width:100%}
input[type=radio]{height:1.5rem;min-height:0;width:1.5rem}
button{border:2px solid #0003;border-radius:.75rem;color:#fff;font:inherit;font-size:1.375rem;font-weight:700;min-height:4rem}
.safe{background:#17663a}.help{background:#b3261e}.away{background:#44505c}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}
table{border-collapse:collapse;font-size:1rem;width:100%}
th,td{border-bottom:1px solid var(--line);padding:.25rem .5rem .25rem 0;text-align:left;vertical-align:top}
@media print{body{font-size:11pt;max-width:none}tr{break-inside:avoid}}`

const hash = (text: string) => createHash('sha256').update(text).digest('base64')
const source = (text: string) => `'sha256-${hash(text)}'`

interface Page {
  lang: Language
  title: string
  /** HTML. */
  body: string
  /** JavaScript that the page does not need. */
  script?: string
}

/** Its only styles and scripts are those whose hashes its policy has. */
export function plainPage({ lang, title, body, script }: Page) {
  const policy = [
    ...["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"],
    `style-src ${source(STYLE)}`,
    ...(script ? [`script-src ${source(script)}`, "connect-src 'self'"] : []),
  ]
  const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style><main>${body}</main>${script ? `<script>${script}</script>` : ''}</html>`
  return file(html, 'page.html', {
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-disposition': 'inline',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    },
  })
}

function file(
  text: string,
  filename: string,
  options: { contentType: string; headers?: Readonly<Record<string, string>> },
) {
  const bytes = Buffer.from(text)
  const etag = createHash('sha256').update(bytes).digest('base64url')
  const open = (start: number, end: number) => Readable.from([bytes.subarray(start, end + 1)])
  return new Download({ ...options, filename, etag, bytes: bytes.length, open })
}
