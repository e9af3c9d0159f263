import * as v from 'valibot'
import { removeInvisibleCharacters } from '#core/invisible-characters.ts'
import type { PreloadImageSource } from '#core/preload-image-contract.ts'
import { countCodePoints } from '#core/unicode.ts'

/**
 * The people who may call an endpoint. `anyone`: always everyone. `reader`: only members if the setting
 * `who_can_read` says so, otherwise everyone. `moderator`: moderators and admins.
 */
export type AccessLevel = 'anyone' | 'reader' | 'member' | 'moderator' | 'admin'
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Language = 'en' | 'ja'
/** One sentence in English and in Japanese. */
export type BilingualSentence = Readonly<Record<Language, string>>

/**
 * The maximum number of attempts per minute. `by` says which attempts are counted together: those from one IP
 * address, those of one account (for visitors, those from one IP address), or those from one IP address with
 * the same value in a field of the body.
 */
export interface RateLimitPerMinute {
  max: number
  by: 'address' | 'account' | { field: string }
}

export interface EndpointOptionsBesidesRouteAndSchemas {
  /**
   * The status of a successful response. A 204 response has no body. An endpoint with status 204 and an
   * optional output responds with 200 when its handler returns a body.
   */
  status?: 200 | 201 | 204
  /**
   * Fields that carry files (multipart/form-data), and how many files each may hold. Files of the type `file`
   * are stored as they are; other files become pictures.
   */
  files?: Readonly<Record<string, { max: number; type?: 'file' }>>
  /**
   * The content type of the file that the endpoint responds with; its output is then a FileDownloadResponse.
   */
  download?: string
  /**
   * Whether the member must have confirmed their identity in this session in the last ten minutes. A log-in
   * counts too, except one by a device link. Otherwise the response is 423, and the handler does not run.
   * `others`: only an admin who changes what is not their own must have confirmed. `approval`: only who
   * approves something must have. For both, the handler asks for it in its transaction, with
   * `requireRecentIdentityConfirmation`.
   */
  needsConfirmation?: true | 'others' | 'approval'
  /**
   * Whether the endpoint accepts requests without the anti-forgery token of a session. This option is for
   * endpoints whose input contains a secret, such as the token in the link of a mail, and which change only
   * the data that the secret allows.
   */
  needsNoCsrfToken?: true
  /** Whether the body may also be sent by an HTML form (application/x-www-form-urlencoded). */
  acceptsForm?: true
  limits?: readonly RateLimitPerMinute[]
  /** Whether the response may have a header `Link: <…>; rel="next"` with the address of the next page. */
  paginated?: true
  /** The HTTP error statuses of the endpoint that do not follow from its other options. */
  errorStatuses?: readonly number[]
}

/**
 * Declares an endpoint. The server creates its route from the declaration. In the browser, `callEndpoint`
 * takes the request and the type of the response from it. The OpenAPI document takes its description from it.
 */
export const defineEndpoint = <
  W extends AccessLevel,
  In extends v.GenericSchema,
  Out extends v.GenericSchema,
  const T extends EndpointOptionsBesidesRouteAndSchemas = object,
>(
  route: `${HttpMethod} /${string}`,
  access: W,
  input: In,
  output: Out,
  options: T = {} as T,
) => {
  const [method, path] = route.split(' ') as [HttpMethod, string]
  return { method, path, access, input, output, options }
}
export type Endpoint = ReturnType<
  typeof defineEndpoint<AccessLevel, v.GenericSchema, v.GenericSchema, EndpointOptionsBesidesRouteAndSchemas>
>
export type FeatureEndpointsByName = Readonly<Record<string, Endpoint>>

interface ChannelOptions {
  /**
   * Whether the subscribers of a presence channel see only their peers while the channel has many members
   * (see `PresencePeerReader`).
   */
  showsOnlyPeersWhenLarge?: true
}

/** Declares a real-time channel: its name, in which each `:part` is an id, and its events with their data. */
export const defineRealtimeChannel = <
  const Name extends string,
  Events extends Readonly<Record<string, v.GenericSchema>>,
>(
  name: Name,
  events: Events,
  options: ChannelOptions = {},
) => ({
  name,
  events,
  ...options,
})
export type RealtimeChannelDefinition = ReturnType<
  typeof defineRealtimeChannel<string, Readonly<Record<string, v.GenericSchema>>>
>
export type RealtimeChannelDefinitions = Readonly<Record<string, RealtimeChannelDefinition>>

/**
 * The names of channels, each split at its parts: `private-chat.:smaller.:larger` is `private-chat.`,
 * `smaller`, `.`, `larger` and an empty text. A message to a group fills a name for each of its members.
 */
const splitChannelNames = new Map<string, readonly string[]>()

/**
 * Fills the parts of a channel's name: `private-chat.:smaller.:larger` and `{ smaller: 3, larger: 7 }` give
 * `private-chat.3.7`.
 */
export function fillChannelNameParameters(
  { name }: RealtimeChannelDefinition,
  parts: Readonly<Record<string, number>> = {},
) {
  const texts = splitChannelNames.get(name) ?? name.split(/:(\w+)/)
  splitChannelNames.set(name, texts)
  let filled = texts[0]!
  for (let index = 1; index < texts.length; index += 2) filled += `${parts[texts[index]!]}${texts[index + 1]}`
  return filled
}

/** A page of the site: its path, view and title, and the endpoints whose responses its HTML includes. */
export interface PageDefinition {
  path: string
  /**
   * The file of the page's component: `posts/PostListPage` means features/posts/web/PostListPage.tsx. Its
   * name ends in Page, because the browser's build includes only files whose names end in Page or
   * PageSection.
   */
  view: string
  title: BilingualSentence
  initialData?: readonly Endpoint[]
  /** The sources of the picture to preload. The server asks them until one returns a picture or null. */
  preloadImage?: readonly PreloadImageSource[]
  /**
   * Returns the description of the page for search engines, from the response of the first endpoint of
   * `initialData`.
   */
  description?: (answer: never, lang: Language) => string | null
  /** The path that search engines list, if several paths show this page. */
  canonical?: string
  /** Whether search engines may list the page although it has no `initialData`. */
  isIndexedWithoutData?: true
  /**
   * Whether visitors of a members-only community see the page; other pages send them to the log-in. A
   * member sees such a page even while another page is required first (`requiredPage` of a module).
   */
  isForVisitors?: true
  /**
   * The position of the page in the menu of the installed app’s icon, where phones and desktops show links to
   * a few pages. Absent: the page is not in that menu.
   */
  appShortcutPosition?: number
}

/**
 * A section that a feature adds to a page of another feature (see `PageSectionsFromFeatures` in
 * web/views.tsx).
 */
export interface AddedPageSection {
  /** The path of the page. */
  path: string
  /**
   * The file of the section's component: `replies/RepliesPageSection` means
   * features/replies/web/RepliesPageSection.tsx.
   */
  view: string
  /** Whether the page shows the section above its own content; otherwise it shows the section below. */
  isAtTop?: true
  /** The endpoints whose responses are in the HTML of the page for this section, after its `initialData`. */
  initialData?: readonly Endpoint[]
}

/** Fills the parameters of a path: `/api/posts/:id/like` and `{ id: 7 }` give `/api/posts/7/like`. */
export const fillPathParameters = (path: string, input: Readonly<Record<string, unknown>>) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))

// The error messages of all schemas are codes (`required`, `max:255`). The server turns them into sentences
// in the reader's language.

/** The schema of a row's id. It also accepts strings of digits, because ids in URLs and forms are strings. */
export const idSchema = v.pipe(
  v.union(
    [v.number(), v.pipe(v.string(), v.maxLength(100), v.regex(/^\s*\d{1,15}\s*$/), v.transform(Number))],
    'integer',
  ),
  v.safeInteger('integer'),
  v.minValue(1, 'integer'),
)
export const noInputSchema = v.object({})
export const idInputSchema = v.object({ id: idSchema })

/**
 * Creates the schema of a list of up to `max` ids in a query, such as `1,2,3`. If absent, the list is empty.
 */
export const createCommaSeparatedIdsSchema = (max: number) =>
  v.optional(
    v.pipe(
      v.string('string'),
      v.maxLength(16 * max, `items:${max}`),
      v.transform((text): unknown[] => text.split(',').filter((id) => id.trim() !== '')),
      createLimitedArraySchema(idSchema, max),
    ),
    '',
  )

/**
 * The number of spaces and carriage returns that a text may have in addition to its `max` characters, before
 * they are removed.
 */
const MAX_REMOVED_CHARACTERS = 1000

/**
 * Creates the schema of a trimmed text with one kind of line break. First checks the length of the raw text,
 * to do no work on a huge one. This allows `2 * max`, because a character has up to two UTF-16 units.
 */
const trimmedText = (max: number) =>
  v.pipe(
    v.string('string'),
    v.check((text) => text.length <= 2 * max + MAX_REMOVED_CHARACTERS, `max:${max}`),
    v.transform((text) => text.replaceAll('\r\n', '\n').toWellFormed().trim()),
    v.check((text) => !text.includes('\0'), 'characters'),
  )
const maxCodePoints = (max: number) =>
  v.check<string, string>((text) => countCodePoints(text) <= max, `max:${max}`)

/** Creates the schema of a trimmed text of 1 to `max` characters. */
export const createRequiredTextSchema = (max: number) =>
  v.pipe(trimmedText(max), v.nonEmpty('required'), maxCodePoints(max))

/**
 * Creates the schema of a name, such as that of a person, a group or a passkey: a trimmed text of 1 to `max`
 * characters, on one line and without invisible characters.
 */
export const createNameSchema = (max: number) =>
  v.pipe(
    trimmedText(max),
    v.transform((given) =>
      removeInvisibleCharacters(given.replace(/[^\S\uFEFF]+/g, ' '))
        .replace(/ +/g, ' ')
        .trim(),
    ),
    v.nonEmpty('required'),
    maxCodePoints(max),
  )

/** Creates the schema of a trimmed text of at most `max` characters. A null or empty value becomes null. */
export const createNullableTextSchema = (max: number) =>
  v.pipe(
    v.nullable(trimmedText(max)),
    v.transform((text) => text || null),
    v.nullable(v.pipe(v.string(), maxCodePoints(max))),
  )

/** Creates the schema of a trimmed text of up to `max` characters. A missing or empty value becomes null. */
export const createOptionalTextSchema = (max: number) => v.optional(createNullableTextSchema(max), null)

/** The schema of an e-mail address, by the rule that browsers use (HTML, 4.10.5.1.5). */
export const emailSchema = v.pipe(createRequiredTextSchema(255), v.rfcEmail('email'))

/**
 * Creates the schema of a list of `min` to `max` items. The schema checks the length before the items, so
 * that it does not check the items of a huge list.
 */
export const createLimitedArraySchema = <Item extends v.GenericSchema>(item: Item, max: number, min = 0) =>
  v.pipe(
    v.array(v.unknown(), 'invalid'),
    v.minLength(min, 'required'),
    v.maxLength(max, `items:${max}`),
    v.array(item),
  )

/** The schema of an optional id. An empty string means no id and becomes undefined. */
export const idOrEmptyStringSchema = v.pipe(
  v.union([v.literal(''), idSchema], 'integer'),
  v.transform((given) => (given === '' ? undefined : given)),
)

/**
 * Creates the schemas of the query parameters that select a page of a list: the keyset cursors `before` and
 * `after`, and the number of rows, `limit` (`standard` by default). A `limit` above `max` becomes `max`.
 */
export const createPaginationParameterFields = (standard: number, max: number) => ({
  before: v.optional(idOrEmptyStringSchema),
  after: v.optional(idOrEmptyStringSchema),
  limit: v.optional(
    v.pipe(
      idOrEmptyStringSchema,
      v.transform((n) => Math.min(n ?? standard, max)),
    ),
    standard,
  ),
})
export type PaginationParameters = { before?: number | undefined; after?: number | undefined; limit: number }

/** The schema of a time in ISO 8601, such as `2026-11-21T03:30:00.000Z`. */
export const isoTimestampSchema = v.pipe(v.string(), v.isoTimestamp())
/** The schema of a response without data: `message` is a sentence for the user about the result. */
export const outcomeSentenceResponseSchema = v.object({ message: v.string() })
