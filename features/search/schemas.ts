import * as v from 'valibot'
import { timeZoneSchema } from '#core/community/settings-schemas.ts'
import { endpoint, idOrEmpty, isoTime, pageFields, requiredText } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { fileSchema, imageSchema } from '#features/posts/schemas.ts'
import { MAX_QUERY } from './contract.ts'

const hitKinds = ['person', 'group', 'post', 'reply', 'message', 'file'] as const
export type HitKind = (typeof hitKinds)[number]

const hitSchema = v.object({
  kind: v.picklist(hitKinds),
  /** Of the person, group, post, reply or message; of the attachment, if the kind is `file`. */
  id: v.number(),
  /** The path of the page that shows it in its place, such as `/posts/12`. */
  url: v.string(),
  /** Where it stands: the name of the group or of the other person of a chat; empty for a post for all. */
  title: v.string(),
  /** Plain text around the first hit. */
  snippet: v.string(),
  /** What the snippet is of, if it is not the text itself: the description of a picture, a choice, … */
  part: v.exactOptional(v.picklist(['picture', 'poll', 'link', 'file'])),
  /** The hits in `snippet`: begin and end of each, in code points. */
  marks: v.array(v.pipe(v.array(v.number()), v.length(2))),
  created_at: isoTime,
  /** Who wrote it, or the person; null for a group. */
  user: v.nullable(personSchema),
})
export type Hit = v.InferOutput<typeof hitSchema>

/** A group or a person, with its kind: `group:5`, `person:7`. */
const placeSchema = v.optional(
  v.pipe(
    v.string('string'),
    v.maxLength(30),
    v.regex(/^((group|person):\d{1,15})?$/, 'invalid'),
    v.transform((text) => {
      const [kind, id] = text.split(':')
      return kind ? { kind: kind as 'group' | 'person', id: Number(id) } : undefined
    }),
  ),
)

const queryFields = {
  /**
   * Words, "phrases", -words, and the operators `from:`, `in:`, `has:` (picture, file, link, poll, voice),
   * `before:`, `after:` and `on:` (2026-11-30, 2026-11, today …), or their Japanese names.
   */
  q: requiredText(MAX_QUERY),
  in: placeSchema,
  /** For the dates in `q`; by default that of the community. */
  time_zone: v.optional(timeZoneSchema),
}

/** Each is the id before which the next page goes on: the `Link` header has them. */
const cursorFields = {
  before_post: v.optional(idOrEmpty),
  before_reply: v.optional(idOrEmpty),
  before_message: v.optional(idOrEmpty),
}

const overviewSchema = v.object({
  /** Only kinds with hits. */
  sections: v.array(
    v.object({ kind: v.picklist(hitKinds), hits: v.array(hitSchema), has_more: v.boolean() }),
  ),
  /** Without hits: a query of words that members have written, and that has some; otherwise null. */
  suggestion: v.nullable(v.string()),
  /** Without hits: the filters without each of which there are some. */
  filters: v.array(v.object({ text: v.string(), without: v.string() })),
  /** How much of all texts can be found yet, from 0 to 1. */
  indexed: v.number(),
})
export type Overview = v.InferOutput<typeof overviewSchema>

const attachedSchema = v.object({
  kind: v.picklist(['post', 'reply', 'message']),
  id: v.number(),
  url: v.string(),
  created_at: isoTime,
  user: personSchema,
  images: v.array(imageSchema),
  files: v.array(fileSchema),
  links: v.array(v.object({ url: v.string(), title: v.nullable(v.string()) })),
})
export type Attached = v.InferOutput<typeof attachedSchema>

const user = { id: 3, name: '田中 はな', profile_image: null }
const hit: Hit = {
  kind: 'message',
  id: 812,
  url: '/group-chat/5?message=812',
  title: '5年B組',
  snippet: '避難訓練は金曜日の10時からです',
  marks: [[0, 4]],
  created_at: '2026-11-27T01:30:00.000Z',
  user,
}
const attached: Attached = {
  kind: 'post',
  id: 40,
  url: '/posts/40',
  created_at: '2026-11-27T01:30:00.000Z',
  user,
  images: [],
  files: [],
  links: [{ url: 'https://weather.example/', title: 'Weather' }],
}

const limits = [{ max: 300, by: 'account' }] as const

export const searchSchemas = {
  /**
   * Only what the caller may see at this moment. People and groups come first, then the newest. A page may
   * have fewer rows than `limit`, or none, and a next page all the same. 422 without a word.
   */
  list: endpoint(
    'reader',
    v.object({
      ...queryFields,
      kind: v.optional(v.union([v.picklist(hitKinds), v.literal('')], 'invalid')),
      ...cursorFields,
      ...pageFields(20, 100),
    }),
    v.array(hitSchema),
    {
      paginated: true,
      limits,
      example: { query: { q: '避難訓練 差出人：田中', in: 'group:5', limit: '20' }, answer: [hit] },
    },
  ),
  /** The first hits of each kind. Filters need no word here: then the newest of each kind. */
  overview: endpoint('reader', v.object(queryFields), overviewSchema, {
    limits,
    example: {
      query: { q: '避難訓練' },
      answer: {
        sections: [{ kind: 'message', hits: [hit], has_more: false }],
        suggestion: null,
        filters: [],
        indexed: 1,
      } satisfies Overview,
    },
  }),
  /** All pictures, files or links of a group, or of a person and the chat with them, newest first. */
  attachments: endpoint(
    'member',
    v.object({
      in: placeSchema,
      has: v.picklist(['picture', 'file', 'link'], 'invalid'),
      ...cursorFields,
      ...pageFields(30, 100),
    }),
    v.array(attachedSchema),
    { paginated: true, limits, example: { query: { has: 'link', in: 'person:3' }, answer: [attached] } },
  ),
}
