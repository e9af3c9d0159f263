import * as v from 'valibot'
import type { Channel, Channels, Endpoint, Endpoints } from '#core/contract.ts'
import { cleanAddress } from '#core/text/addresses.ts'
import { limitMarks } from '#core/text/marks.ts'
import { cleanName, hasLetter } from '#core/text/names.ts'
import { cleanReading, isReading } from '#core/text/readings.ts'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'

// The server's side of the contracts: who may call an endpoint, with what, and what it answers.

/**
 * The people who may call an endpoint. `anyone`: always everyone. `reader`: only members if the setting
 * `who_can_read` says so, otherwise everyone. `moderator`: moderators and admins.
 */
export type AccessLevel = 'anyone' | 'reader' | 'member' | 'moderator' | 'admin'
/**
 * The maximum number of attempts per minute. `by` says which attempts are counted together: those from one IP
 * address, those of one account (for visitors, those from one IP address), or those from one IP address with
 * the same value in a field of the body.
 */
export interface PerMinute {
  max: number
  by: 'address' | 'account' | { field: string }
}

export interface EndpointOptions {
  /**
   * The status of a successful response. A 204 response has no body. An endpoint with status 204 and an
   * optional output responds with 200 when its handler returns a body.
   */
  status?: 200 | 201 | 204
  /**
   * Fields that carry files (multipart/form-data), and how many files each may hold. Files of the type `file`
   * are stored as they are; other files become pictures. A `preview` is a small picture of such a file.
   */
  files?: Readonly<Record<string, { max: number; type?: 'file' | 'preview' }>>
  /**
   * The content type of the file that the endpoint responds with; its output is then a Download.
   */
  download?: string
  /**
   * Whether the member must have confirmed their identity in this session in the last ten minutes. A log-in
   * counts too, except one by a device link. Otherwise the response is 423, and the handler does not run.
   * `others`: only an admin who changes what is not their own must have confirmed. `approval`: only who
   * approves something must have. For both, the handler asks for it in its transaction, with
   * `requireConfirmation`.
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
  limits?: readonly PerMinute[]
  /** Whether the response may have a header `Link: <…>; rel="next"` with the address of the next page. */
  paginated?: true
  /** For the OpenAPI document: values of the query, and the answer to them. */
  example?: { query: Readonly<Record<string, string>>; answer: unknown }
  /** The HTTP error statuses of the endpoint that do not follow from its other options. */
  errorStatuses?: readonly number[]
}

/** What the server knows of an endpoint besides its address, which is in the contract. */
export interface EndpointSchema {
  readonly access: AccessLevel
  readonly input: v.GenericSchema
  readonly output: v.GenericSchema
  readonly options: EndpointOptions
}
export type EndpointSchemas = Readonly<Record<string, EndpointSchema>>
export type ServedEndpoint<S extends EndpointSchema = EndpointSchema> = Endpoint<S> & S
export type ServedEndpoints = Readonly<Record<string, ServedEndpoint>>

/**
 * Declares who may call an endpoint, its input, its answer and its options. The routes, the OpenAPI document
 * and the inputs of the fuzz tests follow from it.
 */
export const endpoint = <
  W extends AccessLevel,
  In extends v.GenericSchema,
  Out extends v.GenericSchema,
  const T extends EndpointOptions = object,
>(
  access: W,
  input: In,
  output: Out,
  options: T = {} as T,
) => ({ access, input, output, options })

type EventSchemas = Readonly<Record<string, v.GenericSchema>>
interface ChannelOptions {
  /**
   * Whether the subscribers of a presence channel see only their peers while the channel has many members
   * (see `ReadPeers`).
   */
  showsOnlyPeersWhenLarge?: true
}
export interface ChannelSchema extends ChannelOptions {
  readonly events: EventSchemas
}
export type ChannelSchemas = Readonly<Record<string, ChannelSchema>>
export type ServedChannel = Channel & ChannelSchema
export type ServedChannels = Readonly<Record<string, ServedChannel>>

/** Declares the events of a channel, with their data. */
export const channel = <Events extends EventSchemas>(events: Events, options: ChannelOptions = {}) => ({
  events,
  ...options,
})

/** Joins the two sides of a contract by the names of its endpoints. */
export const joinEndpoints = <S extends EndpointSchemas>(endpoints: Endpoints<S>, schemas: S) =>
  join(endpoints, schemas) as { readonly [K in keyof S]: ServedEndpoint<S[K]> }

/** Joins the two sides of a contract by the names of its channels. */
export const joinChannels = (channels: Channels, schemas: ChannelSchemas) =>
  join(channels, schemas) as ServedChannels

const join = (addresses: Readonly<Record<string, object>>, schemas: Readonly<Record<string, object>>) =>
  Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => [name, { ...address, ...schemas[name] }]),
  )

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
export const idListSchema = (max: number) =>
  v.optional(
    v.pipe(
      v.string('string'),
      v.maxLength(16 * max, `items:${max}`),
      v.transform((text): unknown[] => text.split(',').filter((id) => id.trim() !== '')),
      limitedArray(idSchema, max),
    ),
    '',
  )

/**
 * The number of spaces and carriage returns that a text may have in addition to its `max` characters, before
 * they are removed.
 */
const MAX_REMOVED_CHARACTERS = 1000

/**
 * Creates the schema of a trimmed text with one kind of line break, which is empty if nothing of it can be
 * seen. Surplus marks on a letter are dropped. First checks the length of the raw text,
 * to do no work on a huge one. This allows `2 * max`, because a character has up to two UTF-16 units.
 */
const trimmedText = (max: number) =>
  v.pipe(
    v.string('string'),
    v.check((text) => text.length <= 2 * max + MAX_REMOVED_CHARACTERS, `max:${max}`),
    v.check((text) => !text.includes('\0'), 'characters'),
    v.transform((text) => {
      const given = limitMarks(text.replaceAll('\r\n', '\n').toWellFormed())
      return isBlank(given) ? '' : given.trim()
    }),
  )
const maxCodePoints = (max: number) =>
  v.check<string, string>((text) => countCodePoints(text) <= max, `max:${max}`)

/** Creates the schema of a trimmed text of 1 to `max` characters. */
export const requiredText = (max: number) =>
  v.pipe(trimmedText(max), v.nonEmpty('required'), maxCodePoints(max))

/**
 * Creates the schema of a name, such as that of a person, a group or a passkey: a trimmed text of 1 to `max`
 * characters, on one line and in NFC, without invisible characters, with a letter, a digit, a symbol or an
 * emoji.
 */
export const shortName = (max: number) =>
  v.pipe(
    trimmedText(max),
    v.transform((given) => cleanName(given)),
    v.nonEmpty('required'),
    v.check((name) => !name || hasLetter(name), 'name'),
    maxCodePoints(max),
  )

/** Creates the schema of a trimmed text of at most `max` characters. A null or empty value becomes null. */
export const nullableText = (max: number) =>
  v.pipe(
    v.nullable(trimmedText(max)),
    v.transform((text) => text || null),
    v.nullable(v.pipe(v.string(), maxCodePoints(max))),
  )

/** Creates the schema of a trimmed text of up to `max` characters. A missing or empty value becomes null. */
export const optionalText = (max: number) => v.optional(nullableText(max), null)

/**
 * Creates the schema of how a name is read, of up to `max` characters: see `cleanReading`. A null or empty
 * value becomes null.
 */
export const nullableReading = (max: number) =>
  v.pipe(
    nullableText(max),
    v.transform((given) => (given && cleanReading(given)) || null),
    v.nullable(
      v.pipe(
        v.string(),
        v.check((reading) => isReading(reading), 'reading'),
        maxCodePoints(max),
      ),
    ),
  )

/** Like `nullableReading`; a missing value becomes null too. */
export const optionalReading = (max: number) => v.optional(nullableReading(max), null)

/** The schema of an e-mail address, cleaned, by the rule that browsers use (HTML, 4.10.5.1.5). */
export const emailSchema = v.pipe(
  requiredText(255),
  v.transform((given) => cleanAddress(given)),
  v.rfcEmail('email'),
  maxCodePoints(255),
)

/**
 * Creates the schema of a list of `min` to `max` items. The schema checks the length before the items, so
 * that it does not check the items of a huge list.
 */
export const limitedArray = <Item extends v.GenericSchema>(item: Item, max: number, min = 0) =>
  v.pipe(
    v.array(v.unknown(), 'invalid'),
    v.minLength(min, 'required'),
    v.maxLength(max, `items:${max}`),
    v.array(item),
  )

const MAX_EXTRAS_LENGTH = 30_000
const MAX_EXTRAS = 10

/** The schema of the extras of a post or message (core/feature/extras.ts): an object, or its JSON in a form. */
export const extrasSchema = v.optional(
  v.pipe(
    v.union([
      v.pipe(
        v.string(),
        v.maxLength(MAX_EXTRAS_LENGTH),
        v.transform((json) => json || '{}'),
        v.parseJson(),
      ),
      v.pipe(v.record(v.string(), v.unknown()), v.maxEntries(MAX_EXTRAS, 'invalid')),
    ]),
    v.record(v.string(), v.unknown(), 'invalid'),
  ),
  {},
)

/** The schema of an optional id. An empty string means no id and becomes undefined. */
export const idOrEmpty = v.pipe(
  v.union([v.literal(''), idSchema], 'integer'),
  v.transform((given) => (given === '' ? undefined : given)),
)

/**
 * Creates the schemas of the query parameters that select a page of a list: the keyset cursors `before` and
 * `after`, and the number of rows, `limit` (`standard` by default). A `limit` above `max` becomes `max`.
 */
export const pageFields = (standard: number, max: number) => ({
  before: v.optional(idOrEmpty),
  after: v.optional(idOrEmpty),
  limit: v.optional(
    v.pipe(
      idOrEmpty,
      v.transform((n) => Math.min(n ?? standard, max)),
    ),
    standard,
  ),
})
export type PageParams = { before?: number | undefined; after?: number | undefined; limit: number }

/** The schema of a time in ISO 8601, such as `2026-11-21T03:30:00.000Z`. */
export const isoTime = v.pipe(v.string(), v.isoTimestamp())
/** The schema of a response without data: `message` is a sentence for the user about the result. */
export const outcomeSchema = v.object({ message: v.string() })
