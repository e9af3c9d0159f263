import { createElement } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { Language } from '#core/contract.ts'
import { ApiError } from '#web/api.ts'
import { useLang } from '#web/i18n.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'

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
    wait: (time: string) => `操作の回数が多すぎます。${time}もう一度お試しください。`,
    soon: 'しばらくしてから',
    seconds: (n: number) => `${n}秒後に`,
    minutes: (n: number) => `${n}分後に`,
    general: 'うまくいきませんでした。もう一度お試しください。',
    pleaseLogIn: 'ログインしてください。',
    logIn: 'ログイン',
  },
}

export const isErrorWithStatus = (error: unknown, status: number) =>
  error instanceof ApiError && error.status === status

/**
 * The longest wait after status 429, in seconds, for which callers such as the outbox of the chat wait by
 * themselves and then send the request again. The user need not be told a reason then.
 */
const LONGEST_WAIT = 600

/**
 * Returns whether an error has the status 429 and the user has to wait for more than LONGEST_WAIT seconds,
 * for example because of the limit of pictures in a day. The server's message for such an error says what is
 * limited and why.
 */
export const isRateLimitWithLongWait = ({ status, retryAfter }: ApiError) =>
  status === 429 && (retryAfter ?? 0) > LONGEST_WAIT

/**
 * Returns a sentence that tells the user about an error. Messages of the server are already in the user's
 * language.
 */
function errorMessage(error: unknown, lang: Language): string {
  const t = sentences[lang]
  if (!(error instanceof ApiError)) return t.general
  if (error.status === 0) return t.offline
  if (error.status === 401) return t.pleaseLogIn
  if (error.status === 429 && !isRateLimitWithLongWait(error))
    return t.wait(formatWait(error.retryAfter, lang))
  return [403, 413, 422, 429, 503, 507].includes(error.status) && error.message ? error.message : t.general
}

function formatWait(seconds: number | null, lang: Language) {
  const t = sentences[lang]
  if (!seconds) return t.soon
  return seconds <= 90 ? t.seconds(seconds) : t.minutes(Math.ceil(seconds / 60))
}

/** Returns a function that turns an error into a sentence for the user, in the language of the interface. */
export function useErrorFormatter() {
  const lang = useLang()
  return (error: unknown) => errorMessage(error, lang)
}

export const createLogInPathWithReturnToCurrentPage = () =>
  `/login?next=${encodeURIComponent(location.pathname + location.search)}`

const PLEASE_LOG_IN = 'please log in'

/**
 * Closes the toast “Please log in.”. Called after a request that needs a session has succeeded, and after a
 * log-in.
 */
export const closeLogInPromptToast = () => closeToast(PLEASE_LOG_IN)
addOwnAccountProfileOrFollowsListener(closeLogInPromptToast)

/** Shows the toast “Please log in.”, and returns a function that closes it. */
export function showLogInPromptToast() {
  const lang = document.documentElement.lang === 'ja' ? 'ja' : 'en'
  const { en, ja } = sentences
  const text = createElement(SpecificationTextWithTranslation, {
    translation: ja.pleaseLogIn,
    // biome-ignore lint/correctness/noChildrenProp: as an argument it would not satisfy the type
    children: en.pleaseLogIn,
  })
  const action = {
    label: sentences[lang].logIn,
    run: () => navigate(createLogInPathWithReturnToCurrentPage()),
  }
  return showToast(text, { key: PLEASE_LOG_IN, kind: 'error', alert: true, action })
}
