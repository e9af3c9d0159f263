import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { HttpError } from '#core/http/errors.ts'
import { san } from '#core/text/honorific.ts'
import { escapeHtml } from '#core/text/i18n.ts'
import { languageOf } from '#features/people/languages.ts'
import * as visibility from '#features/people/visibility.ts'
import * as answers from './answers.ts'
import {
  type AskedPerson,
  MAX_PLACE,
  MAX_WORDS,
  type RollCallDetails,
  type RollCallState,
} from './contract.ts'
import { readToken } from './links.ts'
import { plainPage } from './plain-page.ts'
import * as read from './read.ts'
import { stateLabels } from './states-contract.ts'
import { waitingScript } from './waiting-script.ts'

// What the link of a mail opens. The link is a secret for one member and one roll call, without a log-in.

const texts = {
  en: {
    title: 'Roll call',
    drill: 'Drill – nothing has happened',
    ask: (name: string) => `${name}, how are you? Press one button.`,
    whose: 'Who is it about?',
    words: 'Comment (optional)',
    place: 'Where? (optional)',
    saved: (name: string, state: string) => `Noted: ${name} – ${state}. Thank you.`,
    change: 'If something changes, press again.',
    last: (state: string) => `Last answer: ${state}`,
    ended: 'This roll call has ended. Thank you.',
    invalid: 'This link is not valid. Please open the newest mail.',
    failed: 'That did not work. Please try again.',
    waits: 'No signal. Your answer waits here and is sent by itself. Please leave this page open.',
  },
  ja: {
    title: '安否確認',
    drill: '【訓練】実際の災害ではありません',
    ask: (name: string) => `${san(name)}、ご無事ですか？ボタンを1つ押してください。`,
    whose: 'どなたについてですか？',
    words: 'ひとこと（任意）',
    place: '今いる場所（任意）',
    saved: (name: string, state: string) => `${san(name)}：「${state}」と伝えました。ありがとうございます。`,
    change: '状況が変わったら、もう一度押してください。',
    last: (state: string) => `前回の回答：${state}`,
    ended: 'この安否確認は終了しました。ご協力ありがとうございました。',
    invalid: 'このリンクは使えません。いちばん新しいメールから開いてください。',
    failed: '送信できませんでした。もう一度お試しください。',
    waits: '電波が届きません。つながると自動で送信します。このページを開いたままにしてください。',
  },
} satisfies Record<Language, object>

const states = ['safe', 'help', 'away'] as const

interface Opened {
  member: ReturnType<typeof withoutRoles>
  lang: Language
  details: RollCallDetails
}

/** Null if the link is not valid: also for a member who was suspended, or is no longer asked. */
async function openLink(context: AppContext, token: string, otherwise: Language): Promise<Opened | null> {
  const link = readToken(context, token)
  if (!link || (await visibility.isSuspended(context.db, link.user))) return null
  const lang = await languageOf(context.db, link.user, otherwise)
  const member = { ...withoutRoles(context, link.user), lang }
  const details = await read.get(member, link.call).catch((error: unknown) => {
    if (error instanceof HttpError) return null
    throw error
  })
  return details?.people.length ? { member, lang, details } : null
}

/** Changes nothing. */
export async function show(context: AppContext, token: string, lang: Language) {
  const opened = await openLink(context, token, lang)
  return opened ? answerPage(opened) : message(lang, texts[lang].invalid)
}

interface Given {
  token: string
  state: RollCallState
  words: string | null
  place: string | null
  waited: number
  for?: number | undefined
}

export async function confirm(context: AppContext, { token, for: child, ...answer }: Given, lang: Language) {
  const opened = await openLink(context, token, lang)
  if (!opened) return message(lang, texts[lang].invalid)
  const { member, details } = opened
  const person = child ?? details.people[0]!.person.id
  try {
    await answers.save(member, details.id, person, answer)
  } catch (error) {
    if (error instanceof HttpError) return message(opened.lang, error.messages[opened.lang])
    throw error
  }
  return answerPage({ ...opened, details: await read.get(member, details.id) }, person)
}

const message = (lang: Language, text: string) =>
  plainPage({
    lang,
    title: texts[lang].title,
    body: `<h1>${texts[lang].title}</h1><p>${escapeHtml(text)}</p>`,
  })

/** `saved`: the person whose answer was just stored. */
function answerPage({ lang, details }: Opened, saved?: number) {
  const t = texts[lang]
  const { title, is_drill, ended_at, people } = details
  const shown = `${is_drill ? `${lang === 'ja' ? '［訓練］' : 'Drill: '}` : ''}${title}`
  const body = [
    is_drill ? `<p class="drill">${t.drill}</p>` : '',
    `<h1>${escapeHtml(title)}</h1>`,
    saved === undefined ? '' : savedNote(lang, people, saved),
    ended_at ? `<p>${t.ended}</p>` : form(lang, people, saved),
  ]
  const script = ended_at ? undefined : waitingScript
  return plainPage({ lang, title: shown, body: body.join('\n'), ...(script && { script }) })
}

function savedNote(lang: Language, people: readonly AskedPerson[], saved: number) {
  const t = texts[lang]
  const { person, answers: all } = people.find((one) => one.person.id === saved)!
  const text = t.saved(person.name, stateLabels[lang][all[0]!.state])
  return `<p class="note" role="status">${escapeHtml(text)}<br>${t.change}</p>`
}

function form(lang: Language, people: readonly AskedPerson[], saved?: number) {
  const t = texts[lang]
  const [first] = people
  const [last] = first!.answers
  return `<p>${escapeHtml(t.ask(first!.person.name))}</p>
${last && saved === undefined ? `<p>${escapeHtml(t.last(stateLabels[lang][last.state]))}</p>` : ''}
<form method="post" data-waits="${t.waits}" data-failed="${t.failed}">
${people.length > 1 ? whose(lang, people, saved) : ''}
${states.map((state) => `<button class="${state}" name="state" value="${state}">${stateLabels[lang][state]}</button>`).join('\n')}
<label>${t.place}<input name="place" maxlength="${MAX_PLACE}" autocomplete="off"></label>
<label>${t.words}<textarea name="words" rows="2" maxlength="${MAX_WORDS}"></textarea></label>
</form><p role="status" id="waits"></p>`
}

function whose(lang: Language, people: readonly AskedPerson[], chosen = people[0]!.person.id) {
  const choices = people.map(
    ({ person }) =>
      `<label class="check"><input type="radio" name="for" value="${person.id}"${person.id === chosen ? ' checked' : ''}>${escapeHtml(person.name)}</label>`,
  )
  return `<fieldset><legend>${texts[lang].whose}</legend>${choices.join('')}</fieldset>`
}
