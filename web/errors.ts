import { createElement } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { Lang } from '#core/contract.ts'
import { ApiError } from '#web/api.ts'
import { useLang } from '#web/i18n.ts'
import { onOwnChange } from '#web/me.ts'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { closeToast, toast } from '#web/ui/Toasts.tsx'

const sentences = {
  en: {
    offline: 'No connection. Please try again.',
    wait: (time: string) => `Too many tries. Please try again in ${time}.`,
    soon: 'a moment',
    seconds: (n: number) => (n === 1 ? '1 second' : `${n} seconds`),
    minutes: (n: number) => (n === 1 ? '1 minute' : `${n} minutes`),
    general: 'That did not work. Please try again.',
    pleaseLogIn: 'Please log in.',
    logIn: 'Log in',
  },
  ja: {
    offline: '接続できませんでした。もう一度お試しください。',
    wait: (time: string) => `操作の回数が多すぎます。${time}もう一度お試しください。`,
    soon: 'しばらくしてから',
    seconds: (n: number) => `${n}秒後に`,
    minutes: (n: number) => `${n}分後に`,
    general: 'うまくいきませんでした。もう一度お試しください。',
    pleaseLogIn: 'ログインしてください。',
    logIn: 'ログイン',
  },
}

export const isHttpError = (error: unknown, status: number) =>
  error instanceof ApiError && error.status === status

/** One sentence for the reader. What the server says of a wrong input is in the reader's language already. */
function explain(error: unknown, lang: Lang): string {
  const say = sentences[lang]
  if (!(error instanceof ApiError)) return say.general
  if (error.status === 0) return say.offline
  if (error.status === 401) return say.pleaseLogIn
  if (error.status === 429) return say.wait(waitOf(error.retryAfter, lang))
  return [403, 413, 422, 503, 507].includes(error.status) && error.message ? error.message : say.general
}

function waitOf(seconds: number | null, lang: Lang) {
  const say = sentences[lang]
  if (!seconds) return say.soon
  return seconds <= 90 ? say.seconds(seconds) : say.minutes(Math.ceil(seconds / 60))
}

/** `explain` in the interface's language. */
export function useExplain() {
  const lang = useLang()
  return (error: unknown) => explain(error, lang)
}

export const logInPath = () => `/login?next=${encodeURIComponent(location.pathname + location.search)}`

const PLEASE_LOG_IN = 'please log in'

/** Closes “Please log in.” after a call that only members may make has succeeded. */
export const closePleaseLogIn = () => closeToast(PLEASE_LOG_IN)
onOwnChange(closePleaseLogIn)

/** Shows the toast “Please log in.”, and returns how to close it. */
export function pleaseLogIn() {
  const lang = document.documentElement.lang === 'ja' ? 'ja' : 'en'
  // biome-ignore lint/correctness/noChildrenProp: as an argument it would not satisfy the type
  const text = createElement(QuotedText, { also: 'ログインしてください。', children: 'Please log in.' })
  const action = { label: sentences[lang].logIn, run: () => navigate(logInPath()) }
  return toast(text, { key: PLEASE_LOG_IN, kind: 'bad', alert: true, action })
}
