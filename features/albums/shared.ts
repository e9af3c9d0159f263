import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { Download } from '#core/http/downloads.ts'
import { httpErrors } from '#core/http/errors.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { escapeHtml } from '#core/text/i18n.ts'
import { longDate } from '#core/text/times.ts'
import * as links from './links.ts'
import * as read from './read.ts'
import { sharedStyle } from './shared-style.ts'
import * as zips from './zip.ts'

// The album for grandparents: pages without scripts, names and log-in.

const PAGE = 60

const texts = {
  en: {
    invalid: 'This link is not valid any more.',
    ask: 'Please ask the person who sent it to you for a new one.',
    count: (n: number) => (n === 1 ? '1 picture' : `${n.toLocaleString('en')} pictures`),
    until: (day: string) => `This page is here until ${day}.`,
    touch: 'Press a picture to see it large.',
    zip: 'Save all pictures',
    more: 'More pictures',
    first: 'Back to the beginning',
    back: 'All pictures',
    previous: 'Previous',
    next: 'Next',
    picture: (n: number) => `Picture ${n}`,
    empty: 'There are no pictures yet. Please look again later.',
  },
  ja: {
    invalid: 'このリンクは使えなくなりました。',
    ask: '送ってくれた人に、新しいリンクをもらってください。',
    count: (n: number) => `${n.toLocaleString('ja')}枚`,
    until: (day: string) => `${day}まで見られます。`,
    touch: '画像を押すと、大きく見られます。',
    zip: 'すべて保存',
    more: '続きを見る',
    first: '最初に戻る',
    back: '一覧に戻る',
    previous: '前へ',
    next: '次へ',
    picture: (n: number) => `${n}枚目の画像`,
    empty: '画像はまだありません。しばらくしてから、もう一度ご覧ください。',
  },
} satisfies Record<Language, object>

interface Row {
  id: number
  taken_at: string
  name: string
  widths: string
  animated: number
}

const found = ({ viewer, album }: links.Opened) =>
  viewer.db
    .selectFrom('album_pictures as p')
    .innerJoin('media as m', 'm.name', 'p.media')
    .where('p.album_id', '=', album.id)
    .where(read.shows(viewer, 'p.user_id'))

const rows = (opened: links.Opened) =>
  found(opened).select(['p.id', 'p.taken_at', 'm.name', 'm.widths', 'm.animated'])

/** The order is that of the ids, which nothing moves while somebody looks at the pages. */
export async function page(context: AppContext, token: string, after: number, lang: Language) {
  const opened = await links.open(context, token)
  if (!opened) return invalid(lang)
  if (!after) await links.countView(context, opened)
  const [listed, { count }] = await Promise.all([
    rows(opened)
      .where('p.id', '>', after)
      .orderBy('p.id')
      .limit(PAGE + 1)
      .execute(),
    found(opened)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  const t = texts[lang]
  const shown = listed.slice(0, PAGE)
  const base = `/shared/${token}`
  const tiles = shown.map(
    ({ id }, at) =>
      `<li><a href="${base}/${id}"><img src="${base}/${id}/small" alt="${t.picture(at + 1)}" loading="lazy"></a>`,
  )
  const more =
    listed.length > PAGE ? `<a class="button" href="${base}?after=${shown.at(-1)!.id}">${t.more}</a>` : ''
  const first = after ? `<a class="button" href="${base}">${t.first}</a>` : ''
  const zip = Number(count) ? `<a class="button quiet" href="${base}/all.zip" download>${t.zip}</a>` : ''
  const day = longDate(opened.ends_at, lang, context.settings.current().time_zone ?? 'UTC')
  const title = escapeHtml(opened.album.title)
  return html(
    lang,
    opened.album.title,
    `<h1>${title}</h1><p>${t.count(Number(count))}${lang === 'ja' ? '。' : '. '}${t.until(day)}</p>
${shown.length ? `<p>${t.touch}</p>` : `<p>${t.empty}</p>`}
<ul class="grid">${tiles.join('')}</ul><nav>${first}${more}${zip}</nav>`,
  )
}

/** One picture, with large buttons. */
export async function picture(context: AppContext, token: string, id: number, lang: Language) {
  const opened = await links.open(context, token)
  if (!opened) return invalid(lang)
  const [own, previous, next] = await Promise.all([
    rows(opened).where('p.id', '=', id).executeTakeFirst(),
    rows(opened).where('p.id', '<', id).orderBy('p.id', 'desc').limit(1).executeTakeFirst(),
    rows(opened).where('p.id', '>', id).orderBy('p.id').limit(1).executeTakeFirst(),
  ])
  if (!own) throw httpErrors.notFound()
  const t = texts[lang]
  const base = `/shared/${token}`
  const step = (row: Row | undefined, label: string) =>
    row
      ? `<a class="button" href="${base}/${row.id}">${label}</a>`
      : `<span class="button off">${label}</span>`
  return html(
    lang,
    opened.album.title,
    `<nav>${step(previous, t.previous)}<a class="button quiet" href="${base}">${t.back}</a>${step(next, t.next)}</nav>
<p class="large"><img src="${base}/${id}/large" alt="${escapeHtml(opened.album.title)}"></p>`,
  )
}

/** The file of a picture. 404 without a valid link. */
export async function file(context: AppContext, token: string, id: number, size: 'small' | 'large') {
  const opened = await links.open(context, token)
  const row = opened && (await rows(opened).where('p.id', '=', id).executeTakeFirst())
  if (!row) throw httpErrors.notFound()
  const widths = row.widths.split(',').map(Number)
  const width = size === 'small' ? (widths.find((one) => one >= 320) ?? widths[0]!) : widths.at(-1)!
  const stored = storedNames.ofPicture(row.name, width)
  return new Download({
    ...{ bytes: null, etag: '', contentType: 'image/webp', filename: `${id}.webp` },
    headers: { ...secret, 'cache-control': 'private, max-age=60', 'content-disposition': 'inline' },
    open: async () => {
      const stopped = new AbortController()
      const output = new PassThrough()
      output.once('close', () => stopped.abort())
      pipeline(await zips.openStored(context, stored, stopped.signal), output).catch(() => {})
      return output
    },
  })
}

export async function zip(context: AppContext, token: string) {
  const opened = await links.open(context, token)
  if (!opened) throw httpErrors.notFound()
  return zips.download(opened.viewer, opened.album.id, `link ${opened.id}`)
}

const secret = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' }

const invalid = (lang: Language) =>
  html(lang, texts[lang].invalid, `<h1>${texts[lang].invalid}</h1><p>${texts[lang].ask}</p>`)

function html(lang: Language, title: string, body: string) {
  const bytes = Buffer.from(`<!doctype html><html lang="${lang}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">
<title>${escapeHtml(title)}</title><style>${sharedStyle}</style><main>${body}</main></html>`)
  const styleHash = createHash('sha256').update(sharedStyle).digest('base64')
  return new Download({
    ...{ bytes: bytes.length, contentType: 'text/html; charset=utf-8', filename: 'album.html' },
    etag: createHash('sha256').update(bytes).digest('base64url'),
    headers: {
      ...secret,
      'content-disposition': 'inline',
      'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self'; style-src 'sha256-${styleHash}'`,
    },
    open: (start, end) => Readable.from([bytes.subarray(start, end + 1)]),
  })
}
