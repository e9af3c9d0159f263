import { type Endpoint, fillPathParameters, type Language } from '#core/contract.ts'

/** The data that the server puts into every page: see servePagesAndStaticFiles in core/http/pages.ts. */
export interface InitialPageData {
  app: {
    name: string
    year: number
    /** The key of the Pusher application. */
    key: string
    /**
     * The features that are on, in the server's order. Strangers of a members-only community also get the
     * features that are off.
     */
    features: readonly string[]
    /** Whether the server sends mail. */
    mail: boolean
    /** Whether the footer shows the sample pages. */
    samples: boolean
    /** True if visitors may neither register nor ask to join. */
    closed: boolean
    /** Whether only members may read. */
    membersOnly: boolean
    /** Whether members may make invitations. */
    membersInvite: boolean
    /** Present if members may create groups. */
    membersCreateGroups?: boolean
    /** Present if posts, replies and messages show previews of their links. */
    linkPreviews?: boolean
    /** The limits that admins have lowered. Absent if the limit is the standard one. */
    maxPostLength?: number
    maxPictures?: number
    maxPictureMb?: number
    /** The maximum size of a file of a message in MB. Absent if it is 25. */
    maxFileMb?: number
    /** The URL of the picture of the community. Absent if there is none that the viewer may see. */
    picture?: string
  }
  /** The version of the pages that the server served at that time. */
  version: string
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
export const findInitialEndpointResponse = (
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>> = {},
) => initialAnswers.get(fillPathParameters(endpoint.path, input))

/** Drops the answers that came with the page. Called when they are out of date or belong to another user. */
export const forgetInitialEndpointResponses = () => initialAnswers.clear()
