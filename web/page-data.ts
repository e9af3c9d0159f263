import { type Endpoint, fillPath, type Language } from '#core/contract.ts'

/** The server puts it into every page: see servePages in core/http/pages.ts. */
export interface PageData {
  app: {
    name: string
    year: number
    /** The public key of the Pusher application. */
    key: string
    /** Visitors of a members-only community get all: they must not learn whether the samples are on. */
    features: readonly string[]
    /** The server can send mail. */
    mail: boolean
    /** The footer has links to the sample pages. */
    samples: boolean
    /** How somebody becomes a member. With `closed`, nobody can. */
    join: 'open' | 'invitation' | 'approval' | 'closed'
    membersOnly: boolean
    /** The language of the community. Absent if each reader has their own. */
    lang?: Language | undefined
    /** Ordinary members may make invitations. */
    membersInvite: boolean
    membersCreateGroups?: boolean
    linkPreviews?: boolean
    /** Limits that admins have lowered; absent if standard. */
    maxPostLength?: number
    maxPictures?: number
    maxPictureMb?: number
    /** MB of a file in a message. Absent if it is 25. */
    maxFileMb?: number
    /** MB of a video. Absent if it is 100. */
    maxVideoMb?: number
    /** A URL. Absent if there is none that the viewer may see. */
    picture?: string
  }
  /** The version of the pages when the server sent this one. */
  version: string
  lang: Language
  theme: 'light' | 'dark' | null
  /** Per cent of the browser's own size of text; null for that. */
  text: '115' | '130' | '150' | null
  /** HTTP status of the response with this page. */
  status: number
  /** On an error page, the operator finds the error in the log by it; otherwise null. */
  errorId: string | null
  initialAnswers: { url: string; body: unknown; next: string | null }[]
}

const block = document.getElementById('boot')
export const pageData: PageData = JSON.parse(block?.textContent ?? 'null')
const initialAnswers = new Map(pageData.initialAnswers.map((answer) => [answer.url, answer]))

/** Undefined if the page's HTML does not have it. */
export const findAnswer = (endpoint: Endpoint, input: Readonly<Record<string, unknown>> = {}) =>
  initialAnswers.get(fillPath(endpoint.path, input))

/** Rows of a later feature, such as reactions. The code that shows them may not be loaded yet. */
export const hasInitialRows = (id: number) =>
  pageData.initialAnswers.some(({ body }) => {
    const rows = (body as { messages?: Record<string, unknown> } | null)?.messages?.[id]
    return Array.isArray(rows) && rows.length > 0
  })

/** They are out of date, or belong to another user. */
export const forgetAnswers = () => initialAnswers.clear()
