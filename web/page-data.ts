import { type Endpoint, fillPathParameters, type Language } from '#core/contract.ts'

/** The data that the server puts into every page: see servePagesAndStaticFiles in core/http/pages.ts. */
export interface InitialPageData {
  app: {
    name: string
    year: number
    /** The public key of the Pusher application, with which the browser connects. */
    key: string
    /**
     * The names of the features that are on, in the server's order. Visitors of a members-only community get
     * the names of all features, because they must not learn whether the sample features are on.
     */
    features: readonly string[]
    /** Whether the server can send mail. */
    mail: boolean
    /** Whether the footer shows links to the sample pages. */
    samples: boolean
    /** Whether visitors may neither register nor ask to join. */
    closed: boolean
    /** Whether only members may read the community. */
    membersOnly: boolean
    /** Whether ordinary members may make invitations, and not only admins. */
    membersInvite: boolean
    /** True if members may create groups, otherwise absent. */
    membersCreateGroups?: boolean
    /** True if posts, replies and messages show previews of their links, otherwise absent. */
    linkPreviews?: boolean
    /**
     * The limits for posts and their pictures that admins have lowered. A limit is absent if it is the
     * standard one.
     */
    maxPostLength?: number
    maxPictures?: number
    maxPictureMb?: number
    /** The maximum size in MB of a file in a chat message. Absent if it is 25. */
    maxFileMb?: number
    /** The URL of the picture of the community. Absent if there is none that the viewer may see. */
    picture?: string
  }
  /** The version of the pages that the server served when it sent this page. */
  version: string
  lang: Language
  theme: 'light' | 'dark' | null
  /** The HTTP status of the response with the HTML of this page. */
  status: number
  /**
   * The id of the request, by which the operator finds the error in the log, if the server sent an error
   * page; otherwise null.
   */
  errorId: string | null
  initialAnswers: { url: string; body: unknown; next: string | null }[]
}

const block = document.getElementById('boot')
export const initialPageData: InitialPageData = JSON.parse(block?.textContent ?? 'null')
const initialAnswers = new Map(initialPageData.initialAnswers.map((answer) => [answer.url, answer]))

/**
 * Returns the response of an endpoint that the server has put into the HTML of the page, or undefined if it
 * has not.
 */
export const findInitialEndpointResponse = (
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>> = {},
) => initialAnswers.get(fillPathParameters(endpoint.path, input))

/**
 * Returns whether the HTML of the page came with rows about a message that a later feature shows below it,
 * such as the reactions to the message. The code that shows them may not be loaded yet.
 */
export const hasInitialRowsBelowMessage = (id: number) =>
  initialPageData.initialAnswers.some(({ body }) => {
    const rows = (body as { messages?: Record<string, unknown> } | null)?.messages?.[id]
    return Array.isArray(rows) && rows.length > 0
  })

/**
 * Drops the responses that the server has put into the HTML of the page. Called when they are out of date or
 * belong to another user.
 */
export const forgetInitialEndpointResponses = () => initialAnswers.clear()
