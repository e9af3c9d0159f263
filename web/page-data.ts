import { type Endpoint, fillPathParameters, type Language } from '#core/contract.ts'

/** The data that the server puts into every page: see servePages in core/http/pages.ts. */
export interface InitialPageData {
  /**
   * The data of the app. `key` is the Pusher application key; `features` are the features that are on, in
   * the server's order (for strangers of a members-only community, also those that are off); `mail` says
   * whether the server sends mail, `samples` whether the footer shows the sample pages, `closed` whether
   * nobody may register or ask to join, `membersOnly` whether only members may read, and `membersInvite`
   * whether members may make invitations. `membersCreateGroups` is present if members may create groups,
   * `linkPreviews` if posts, replies and messages show previews of their links, `maxPostLength`,
   * `maxPictures` and `maxPictureMb` if admins have lowered these limits, `maxFileMb` if it is not 25, and
   * `picture` (a URL) if the community has a picture that the viewer may see.
   */
  app: {
    name: string
    year: number
    key: string
    features: readonly string[]
    mail: boolean
    samples: boolean
    closed: boolean
    membersOnly: boolean
    membersInvite: boolean
    membersCreateGroups?: boolean
    linkPreviews?: boolean
    maxPostLength?: number
    maxPictures?: number
    maxPictureMb?: number
    maxFileMb?: number
    picture?: string
  }
  lang: Language
  theme: 'light' | 'dark' | null
  /** The HTTP status of the response that contained this page. */
  status: number
  /**
   * If the server sent the error page: the id of the request, by which the operator finds the error in the
   * log; else null.
   */
  errorId: string | null
  initialAnswers: { url: string; body: unknown; next: string | null }[]
}

const block = document.getElementById('boot')
export const initialPageData: InitialPageData = JSON.parse(block?.textContent ?? 'null')
const initialAnswers = new Map(initialPageData.initialAnswers.map((answer) => [answer.url, answer]))

/** Returns the answer of an endpoint that came with the page, or undefined if there is none. */
export const findInitialAnswer = (endpoint: Endpoint, input: Readonly<Record<string, unknown>> = {}) =>
  initialAnswers.get(fillPathParameters(endpoint.path, input))

/** Drops the answers that came with the page. Called when they are out of date or belong to another user. */
export const forgetInitialAnswers = () => initialAnswers.clear()
