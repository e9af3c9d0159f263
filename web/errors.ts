import { createElement } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { Language } from '#core/contract.ts'
import { ApiError } from '#web/api.ts'
import { useLang } from '#web/i18n.ts'
import { onMeChange } from '#web/me.ts'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { QuotedText } from './ui/QuotedText.tsx'

const sentences = {
  en: {
    offline: 'No connection. Please try again.',
    wait: (time: string) => `Too many attempts. Please try again in ${time}.`,
    soon: 'a moment',
    seconds: (n: number) => (n === 1 ? '1 second' : `${n} seconds`),
    minutes: (n: number) => (n === 1 ? '1 minute' : `${n} minutes`),
    general: 'Something went wrong. Please try again.',
    pleaseLogIn: 'Please log in.',
    logIn: 'Log in',
  },
  ja: {
    offline: '接続できませんでした。もう一度お試しください。',
    wait: (time: string) => `少し間をおいてください。${time}もう一度お試しください。`,
    soon: 'しばらくしてから',
    seconds: (n: number) => `${n}秒後に`,
    minutes: (n: number) => `${n}分後に`,
    general: 'うまくいきませんでした。もう一度お試しください。',
    pleaseLogIn: 'ログインしてください。',
    logIn: 'ログイン',
  },
}

export const hasStatus = (error: unknown, status: number) =>
  error instanceof ApiError && error.status === status

/** Seconds after a 429 that callers such as the outbox wait by themselves, without telling the user. */
const LONGEST_WAIT = 600

/** For example the limit of pictures in a day. The server's message says what is limited and why. */
export const isLongWait = ({ status, retryAfter }: ApiError) =>
  status === 429 && (retryAfter ?? 0) > LONGEST_WAIT

/** Messages of the server are already in the user's language. */
function errorMessage(error: unknown, lang: Language): string {
  const t = sentences[lang]
  if (!(error instanceof ApiError)) return t.general
  if (error.status === 0) return t.offline
  if (error.status === 401) return t.pleaseLogIn
  if (error.status === 429 && !isLongWait(error)) return t.wait(formatWait(error.retryAfter, lang))
  return [403, 413, 422, 429, 503, 507].includes(error.status) && error.message ? error.message : t.general
}

function formatWait(seconds: number | null, lang: Language) {
  const t = sentences[lang]
  if (!seconds) return t.soon
  return seconds <= 90 ? t.seconds(seconds) : t.minutes(Math.ceil(seconds / 60))
}

export function useErrorText() {
  const lang = useLang()
  return (error: unknown) => errorMessage(error, lang)
}

export const logInPath = () => `/login?next=${encodeURIComponent(location.pathname + location.search)}`

const PLEASE_LOG_IN = 'please log in'

/** After a log-in, or a request that needs a session has succeeded. */
export const closeLogInToast = () => closeToast(PLEASE_LOG_IN)
onMeChange(closeLogInToast)

/** Returns a function that closes it. */
export function showLogInToast() {
  const lang = document.documentElement.lang === 'ja' ? 'ja' : 'en'
  const { en, ja } = sentences
  const text = createElement(QuotedText, {
    translation: ja.pleaseLogIn,
    // biome-ignore lint/correctness/noChildrenProp: as an argument it would not satisfy the type
    children: en.pleaseLogIn,
  })
  const action = {
    label: sentences[lang].logIn,
    run: () => navigate(logInPath()),
  }
  return showToast(text, { key: PLEASE_LOG_IN, kind: 'error', alert: true, action })
}
