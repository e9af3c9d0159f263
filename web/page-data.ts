import { type Endpoint, fillPath, type Lang } from '#core/contract.ts'

/** What the server put into the page: see servePages in core/http/pages.ts. */
export interface PageData {
  /** `key` names the real-time application; with `demo` there are the pages of the demo. */
  app: { name: string; year: number; key: string; demo: boolean }
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

/** The answer of a call that travelled inside the page: `undefined` when it did not. */
export const initialAnswer = (endpoint: Endpoint, input: Readonly<Record<string, unknown>> = {}) =>
  firsts.get(fillPath(endpoint.path, input))

/** After a log-in or log-out the page's answers are somebody else's. */
export const forgetInitialAnswers = () => firsts.clear()
