import * as v from 'valibot'
import { visibleText } from '#core/visible-text.ts'

export type Who = 'anyone' | 'member' | 'admin'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Lang = 'en' | 'ja'
/** One sentence in both languages. */
export type Localized = Readonly<Record<Lang, string>>

/**
 * A limit of tries a minute: by address, by account (for visitors by address), or by address and a field of
 * the body.
 */
export interface Limit {
  most: number
  by: 'address' | 'account' | { field: string }
}

export interface EndpointOptions {
  /** Status of success; 204 has no body. */
  status?: 200 | 201 | 204
  /** Fields that carry files (multipart/form-data), and how many each may hold. */
  files?: Readonly<Record<string, { most: number }>>
  /** Whether its body may also be an HTML form's (application/x-www-form-urlencoded). */
  form?: true
  limits?: readonly Limit[]
  /** Whether a `Link: <…>; rel="next"` header may lead to a next page. */
  paged?: true
  /** Statuses beyond those that follow from the other traits. */
  refuses?: readonly number[]
}

/**
 * Declares one call. The server's routes, the browser's `api()` and the OpenAPI document are made from it.
 */
export const endpoint = <
  W extends Who,
  In extends v.GenericSchema,
  Out extends v.GenericSchema,
  const T extends EndpointOptions = object,
>(
  line: `${Method} /${string}`,
  who: W,
  input: In,
  output: Out,
  traits: T = {} as T,
) => {
  const [method, path] = line.split(' ') as [Method, string]
  return { method, path, who, input, output, traits }
}
export type Endpoint = ReturnType<typeof endpoint<Who, v.GenericSchema, v.GenericSchema, EndpointOptions>>
export type Contract = Readonly<Record<string, Endpoint>>

/** Declares a real-time channel: its name, in which each `:part` is an id, and its events with their data. */
export const channel = <const Name extends string, Events extends Readonly<Record<string, v.GenericSchema>>>(
  name: Name,
  events: Events,
) => ({
  name,
  events,
})
export type Channel = ReturnType<typeof channel<string, Readonly<Record<string, v.GenericSchema>>>>
export type Channels = Readonly<Record<string, Channel>>

/** `private-chat.:smaller.:larger` and `{ smaller: 3, larger: 7 }` → `private-chat.3.7`. */
export const channelName = ({ name }: Channel, parts: Readonly<Record<string, number>> = {}) =>
  name.replace(/:(\w+)/g, (_, part: string) => String(parts[part]))

/** A picture that a page shows at once: what its `<img>` says of it. */
export interface FirstPicture {
  path: string
  srcset: string
  sizes: string
}

/** A page of the site: which view shows it, its title, and the calls whose answers travel inside its HTML. */
export interface Page {
  path: string
  /** `posts/PostListPage` is features/posts/web/PostListPage.tsx; views end in Page, so that nothing else is loaded by name. */
  view: string
  title: Localized
  first?: readonly Endpoint[]
  /** From the answer of the first of these calls: the picture to fetch before any script has run. */
  picture?: (answer: never) => FirstPicture | undefined
  /** From the same answer: what the page is about, in a sentence or two; for search engines. */
  about?: (answer: never, lang: Lang) => string | null
  /** Where the same page has another address: the one that counts. */
  canonical?: string
}

/** A part that a feature adds to a page of another feature. `PageParts` in web/views.tsx shows it. */
export interface PagePart {
  /** The path of the page. */
  path: string
  /** `chat/AdminGroupsPart` is features/chat/web/AdminGroupsPart.tsx; these views end in Part. */
  view: string
  /** Calls whose answers the page carries besides its own. */
  first?: readonly Endpoint[]
}

/** `/api/posts/:id/like` and `{ id: 7 }` → `/api/posts/7/like`. */
export const fillPath = (path: string, input: Readonly<Record<string, unknown>>) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))

// Messages of schemas are codes (`required`, `most:255`); the server turns them into sentences in the reader's language.

/** A row's id. Numeric strings count, since ids from URLs travel into bodies. */
export const id = v.pipe(
  v.union(
    [v.number(), v.pipe(v.string(), v.maxLength(100), v.regex(/^\s*\d{1,15}\s*$/), v.transform(Number))],
    'integer',
  ),
  v.safeInteger('integer'),
  v.minValue(1, 'integer'),
)
export const noInput = v.object({})
export const ById = v.object({ id })

/** Folded for comparing: `Ｂen` and `BEN` are `ben`. */
export const foldCase = (text: string) => text.normalize('NFKC').toLowerCase()

/** Letters that Unicode does not take apart into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  þ: 'th',
  ς: 'σ',
}

/**
 * Folds a name for searching: as `foldCase`, and without the accents of Latin and Greek letters, which many
 * keyboards lack. Marks of other scripts stay, for there they make another letter (が is not か, й is not и).
 */
export const foldName = (name: string) =>
  foldCase(name)
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu, '$1')
    .normalize('NFKC')
    .replace(/[æœøđðłħıßþς]/g, (letter) => LETTERS[letter]!)

/** Length in Unicode code points: what both sides count by. */
export const codePointLength = (text: string) => [...text].length

/** Spaces and halves of line breaks that a text may have besides its `most` characters: they are removed. */
const MOST_REMOVED = 1000

/**
 * A trimmed text with one kind of line break. The length of the raw text is checked first: a character has
 * at most two UTF-16 units.
 */
const cleaned = (most: number) =>
  v.pipe(
    v.string('string'),
    v.check((text) => text.length <= 2 * most + MOST_REMOVED, `most:${most}`),
    v.transform((text) => text.replaceAll('\r\n', '\n').toWellFormed().trim()),
    v.check((text) => !text.includes('\0'), 'characters'),
  )
const atMost = (most: number) =>
  v.check<string, string>((text) => codePointLength(text) <= most, `most:${most}`)

/** A trimmed line or text of 1 to `most` characters. */
export const text = (most: number) => v.pipe(cleaned(most), v.nonEmpty('required'), atMost(most))

/** The name of a person or a group: like `text`, but on one line and without invisible characters. */
export const name = (most: number) =>
  v.pipe(
    cleaned(most),
    v.transform((given) =>
      visibleText(given.replace(/[^\S\uFEFF]+/g, ' '))
        .replace(/ +/g, ' ')
        .trim(),
    ),
    v.nonEmpty('required'),
    atMost(most),
  )

/** As `text`, but missing, null and empty are all null. */
export const optionalText = (most: number) =>
  v.optional(
    v.pipe(
      v.nullable(cleaned(most)),
      v.transform((text) => text || null),
      v.nullable(v.pipe(v.string(), atMost(most))),
    ),
    null,
  )

/** An e-mail address, by the rule of browsers (HTML, 4.10.5.1.5). */
export const email = v.pipe(text(255), v.rfcEmail('email'))

/** A password. It is never trimmed, because spaces are part of it. */
export const secret = (least: number) =>
  v.pipe(
    v.string('string'),
    v.nonEmpty('required'),
    v.check((text) => codePointLength(text) >= least, `least:${least}`),
    v.check((text) => text.length <= 2000 && codePointLength(text) <= 1000, 'most:1000'),
  )

/** A list of at most `most` items. Its length is checked before its items. */
export const list = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(v.array(v.unknown(), 'invalid'), v.maxLength(most, `items:${most}`), v.array(item))

/** As `id`, but an empty string is as good as none. */
export const idOrBlank = v.pipe(
  v.union([v.literal(''), id], 'integer'),
  v.transform((given) => (given === '' ? undefined : given)),
)

/** A keyset cursor and a page size; a larger `limit` than the list allows is cut to it. */
export const page = (standard: number, most: number) => ({
  before: v.optional(idOrBlank),
  after: v.optional(idOrBlank),
  limit: v.optional(
    v.pipe(
      idOrBlank,
      v.transform((n) => Math.min(n ?? standard, most)),
    ),
    standard,
  ),
})
export type PageParams = { before?: number | undefined; after?: number | undefined; limit: number }

/** ISO 8601, UTC, milliseconds, Z. */
export const time = v.pipe(v.string(), v.isoTimestamp())
export const MessageResponse = v.object({ message: v.string() })

/** Permission to subscribe to a channel, as the Pusher protocol requests it (JSON or a form). */
export const authorise = endpoint(
  'POST /my-broadcast-auth',
  'member',
  v.object({
    socket_id: v.pipe(v.string('string'), v.maxLength(50, 'invalid'), v.regex(/^\d+\.\d+$/, 'invalid')),
    channel_name: v.pipe(v.string('string'), v.maxLength(200, 'most:200')),
  }),
  v.object({ auth: v.string(), channel_data: v.exactOptional(v.string()) }),
  { form: true, refuses: [403] },
)

/** Signs the user in on a connection, for events that servers send to the user. */
export const authoriseUser = endpoint(
  'POST /broadcasting/user-auth',
  'member',
  v.object({ socket_id: v.pipe(v.string('string'), v.regex(/^\d+\.\d+$/, 'invalid')) }),
  v.object({ auth: v.string(), user_data: v.string() }),
  { form: true },
)
