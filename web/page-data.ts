import { type Endpoint, fillPath, type Lang } from '#core/contract.ts'

/** The data that the server puts into every page: see servePages in core/http/pages.ts. */
export interface PageData {
  /**
   * `key` names the real-time application; `features` are those that run on this server, in its order; `mail` says
   * whether it sends mails.
   */
  app: { name: string; year: number; key: string; features: readonly string[]; mail: boolean }
  lang: Lang
  theme: 'light' | 'dark' | null
  /** The status that the page itself was answered with. */
  status: number
  /** An id that is in the server's log, where the page could not be made. */
  fault: string | null
  first: { url: string; body: unknown; next: string | null }[]
}

const block = document.getElementById('boot')
export const pageData: PageData = JSON.parse(block?.textContent ?? 'null')
const firsts = new Map(pageData.first.map((answer) => [answer.url, answer]))

/** The answer of a call, if the page carries it. */
export const initialAnswer = (endpoint: Endpoint, input: Readonly<Record<string, unknown>> = {}) =>
  firsts.get(fillPath(endpoint.path, input))

/** Called after a log-in or log-out, when the page's answers belong to somebody else. */
export const forgetInitialAnswers = () => firsts.clear()
