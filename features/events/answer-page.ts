import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { HttpError } from '#core/http/errors.ts'
import { escapeHtml } from '#core/text/i18n.ts'
import { languageOf } from '#features/people/languages.ts'
import * as visibility from '#features/people/visibility.ts'
import { plainPage } from '#features/roll-calls/plain-page.ts'
import { answer, type Given } from './answers.ts'
import { answers, MAX_NOTE } from './contract.ts'
import { readToken } from './links.ts'
import * as read from './read.ts'
import type { EventDate } from './schemas.ts'
import { whenOf } from './times.ts'

// What the link of a mail opens. The link is a secret for one member and one date, without a log-in. Opening it
// changes nothing, because programs that look for viruses follow links.

const texts = {
  en: {
    title: 'Are you coming?',
    yes: 'Yes',
    maybe: 'Maybe',
    no: 'No',
    note: 'Comment (optional)',
    send: 'Send my answer',
    saved: (answer: string) => `Noted: ${answer}. Thank you.`,
    waits: (position: number) => `It is full. You are number ${position} on the waiting list.`,
    closed: 'The time to answer is over.',
    cancelled: 'This event was cancelled.',
    invalid: 'This link is not valid any more. Please log in to answer.',
    choose: 'Please choose an answer.',
  },
  ja: {
    title: '参加しますか？',
    yes: '参加',
    maybe: '未定',
    no: '不参加',
    note: 'ひとこと',
    send: 'この内容で回答する',
    saved: (answer: string) => `「${answer}」と回答しました。ありがとうございます。`,
    waits: (position: number) => `満員のため、空き待ち${position}番目になりました。`,
    closed: '回答は締め切られました。',
    cancelled: 'この予定は中止になりました。',
    invalid: 'このリンクは、もう使えません。ログインして回答してください。',
    choose: 'どれかを選んでください。',
  },
} satisfies Record<Language, object>

interface Opened {
  member: ReturnType<typeof withoutRoles>
  lang: Language
  date: EventDate
}

/** Null if the link is not valid: also for a member who was suspended, or does not see the event any more. */
async function openLink(context: AppContext, token: string, otherwise: Language): Promise<Opened | null> {
  const link = readToken(context, token)
  if (!link || (await visibility.isSuspended(context.db, link.user))) return null
  const lang = await languageOf(context.db, link.user, otherwise)
  const member = { ...withoutRoles(context, link.user), lang }
  const date = await read.get(member, link.date).catch((error: unknown) => {
    if (error instanceof HttpError) return null
    throw error
  })
  return date && { member, lang, date }
}

export async function show(context: AppContext, token: string, lang: Language) {
  const opened = await openLink(context, token, lang)
  return opened ? page(opened) : message(lang, texts[lang].invalid)
}

export async function confirm(
  context: AppContext,
  {
    token,
    answer: given,
    note,
  }: { token: string; answer?: Given['answer'] | undefined; note: string | null },
  lang: Language,
) {
  const opened = await openLink(context, token, lang)
  if (!opened) return message(lang, texts[lang].invalid)
  const t = texts[opened.lang]
  if (!given) return page(opened, t.choose)
  const { member, date } = opened
  const guests = given === 'yes' ? (date.mine?.guests ?? 0) : 0
  try {
    const changed = await answer(member, date.id, { answer: given, note, guests })
    const position = changed.mine?.position
    const said = position === undefined ? t.saved(t[given]) : t.waits(position)
    return page({ ...opened, date: changed }, said)
  } catch (error) {
    if (error instanceof HttpError) return page(opened, error.messages[opened.lang])
    throw error
  }
}

const message = (lang: Language, text: string) =>
  plainPage({
    lang,
    title: texts[lang].title,
    body: `<h1>${texts[lang].title}</h1><p>${escapeHtml(text)}</p>`,
  })

/** `note`: what has just happened. */
function page({ lang, date }: Opened, note?: string) {
  const t = texts[lang]
  const isOpen = date.cancelled_at === null && !date.is_closed
  const body = [
    `<h1>${escapeHtml(date.title)}</h1>`,
    `<p>${escapeHtml(whenOf(date, lang))}${date.place ? `<br>${escapeHtml(date.place)}` : ''}</p>`,
    note === undefined ? '' : `<p class="note" role="status">${escapeHtml(note)}</p>`,
    isOpen ? form(lang, date) : `<p>${date.cancelled_at === null ? t.closed : t.cancelled}</p>`,
  ]
  return plainPage({ lang, title: `${t.title} ${date.title}`, body: body.join('\n') })
}

function form(lang: Language, { mine }: EventDate) {
  const t = texts[lang]
  const choices = answers.map(
    (one) =>
      `<label class="check"><input type="radio" name="answer" value="${one}" required${mine?.answer === one ? ' checked' : ''}>${t[one]}</label>`,
  )
  return `<form method="post"><fieldset><legend>${t.title}</legend>${choices.join('')}</fieldset>
<label>${t.note}<input name="note" maxlength="${MAX_NOTE}" autocomplete="off" value="${escapeHtml(mine?.note ?? '')}"></label>
<button class="safe">${t.send}</button></form>`
}
